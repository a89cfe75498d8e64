import {
  discover,
  findCustomOperation,
  hold,
  listCustomOperationsOf,
  removeCustomOperationOf,
} from '@action-platform/contracts/calls';
import {
  approvalRoutes,
  customOperationRoutes,
  type SessionClaims,
} from '@action-platform/contracts/resources';
import { EventReader } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { asPrincipal } from '../test-support/held-calls.ts';
import {
  expectInvalid,
  holder,
  outcomeOf,
  session,
  TestAuthority,
  testAuthority,
} from '../test-support/test-authority.ts';

const authority = testAuthority({
  replicas: 2,
  environment: { PUBLIC_URL: 'https://platform.example.com' },
});

const { put, get, list, remove } = customOperationRoutes;

const REFUND = 'custom.refund_order';

/** The body of a registration, which a script may repeat. */
const refund = {
  title: 'Refund an order',
  description: 'Refunds an order in full.',
  effect: 'write',
  availability: 'workspace_member',
  url: 'https://orders.example.com/refund',
  inputSchema: {
    type: 'object',
    properties: { order_id: { type: 'string', maxLength: 20 } },
    required: ['order_id'],
    additionalProperties: false,
  },
} as const;

const register = (owner: SessionClaims, id = REFUND, body: object = refund) =>
  authority.manage(owner, put, { ...refund, ...body, id });

const anOwner = () => authority.member({ role: 'owner' });

describe('a definition', () => {
  test('is registered once, changed by another one, and answers as it was sent', async () => {
    const owner = await anOwner();
    const { operation } = await register(owner);
    expect(operation).toMatchObject({
      ...refund,
      ...{ id: REFUND, status: 'active', revision: 1, destructive: false, timeoutMs: 5000, refusals: [] },
      createdBy: owner.userId,
    });
    expect(operation.definitionId).toMatch(/^cop_[0-9a-f]{32}$/);
    const reordered = {
      ...refund,
      inputSchema: Object.fromEntries(Object.entries(refund.inputSchema).reverse()),
    };
    expect(await register(owner, REFUND, reordered)).toEqual({ operation });
    const changed = await register(owner, REFUND, { title: 'Refund' });
    expect(changed.operation).toMatchObject({
      title: 'Refund',
      revision: 2,
      definitionId: operation.definitionId,
    });
    expect(await authority.manage(owner, get, { id: REFUND })).toEqual(changed);
    const { inputSchema: _, ...listed } = changed.operation;
    expect(await authority.manage(owner, list, {})).toEqual({ operations: [listed] });
    const asked = { workspaceId: owner.workspaceId, id: REFUND };
    expect(await authority.platform.callAs('gateway', findCustomOperation, asked)).toEqual(changed.operation);
  });

  test('is changed from the expected revision alone', async () => {
    const owner = await anOwner();
    const from = (expectedRevision: number, title: string) =>
      outcomeOf(register(owner, REFUND, { title, expectedRevision }));
    expect(await from(1, 'a')).toBe('invalid_request');
    expect(await from(0, 'a')).toBe('ok');
    expect(await from(0, 'b')).toBe('invalid_request');
    const racing = await Promise.all(Array.from({ length: 8 }, (_, index) => from(1, `title ${index}`)));
    expect(racing.filter((outcome) => outcome === 'ok')).toHaveLength(1);
  });

  test('keeps effect, availability and destructiveness for good, past its removal', async () => {
    const owner = await anOwner();
    await register(owner);
    for (const change of [{ effect: 'read' }, { availability: 'owner_workspace' }, { destructive: true }]) {
      await expectInvalid(register(owner, REFUND, change), Object.keys(change)[0]!);
    }
    const removed = await authority.manage(owner, remove, { id: REFUND });
    expect(removed.operation).toMatchObject({ status: 'removed', revision: 1 });
    expect(await authority.manage(owner, remove, { id: REFUND })).toEqual(removed);
    expect(await outcomeOf(register(owner, REFUND, { effect: 'read' }))).toBe('invalid_request');
    const back = await register(owner);
    expect(back.operation).toMatchObject({ status: 'active', revision: 2 });
  });

  test('of another Workspace, and an unknown one, is not found', async () => {
    const [owner, stranger] = [await anOwner(), await anOwner()];
    await register(owner);
    for (const route of [get, remove])
      expect(await outcomeOf(authority.manage(stranger, route, { id: REFUND }))).toBe(
        'custom_operation_not_found',
      );
    expect(await authority.manage(stranger, list, {})).toEqual({ operations: [] });
  });

  test.each([
    ['url', { url: 'http://orders.example.com/' }],
    ['url', { url: 'https://10.0.0.1/' }],
    ['url', { url: 'https://user@orders.example.com/' }],
    ['url', { url: 'https://orders.example.com/?key=1' }],
    ['url', { url: 'https://orders.example.com/?' }],
    ['url', { url: 'https://orders.example.com/#x' }],
    ['title', { title: 'Refund\u202e' }],
    ['description', { description: 'Refunds\u200b an order.' }],
    ['refusals[0].next', { refusals: [{ code: 'custom_no', message: 'No.', next: 'Ask\u{e0041}.' }] }],
    ['refusals[0].code', { refusals: [{ code: 'custom_endpoint_failed', message: 'No.', next: 'Ask.' }] }],
    ['timeoutMs', { timeoutMs: 999 }],
    [
      'inputSchema.properties.a.$ref',
      { inputSchema: { ...refund.inputSchema, properties: { a: { type: 'string', $ref: '#' } } } },
    ],
  ])('is refused, naming %s: %j', async (fault, change) =>
    expectInvalid(register(await anOwner(), REFUND, change), RegExp.escape(fault)),
  );

  test.each(['mail.refund_order', 'custom.Refund_x', 'custom.refund', `custom.a_${'b'.repeat(55)}`])(
    'has an id of the form custom.…: %s is refused',
    async (id) => expect(await outcomeOf(register(await anOwner(), id))).toBe('invalid_request'),
  );

  test('has room for 300 in a Workspace, removed ones included, in races too', async () => {
    const owner = await anOwner();
    const names = Array.from({ length: 304 }, (_, index) => `custom.operation_${index}`);
    // A few at once: near the limit, many inserts would try the same few free slots again and again.
    for (let at = 0; at < 290; at += 10)
      await Promise.all(names.slice(at, at + 10).map((id) => register(owner, id)));
    const outcomes = await Promise.all(names.slice(290).map((id) => outcomeOf(register(owner, id))));
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(10);
    expect(outcomes.filter((outcome) => outcome === 'invalid_request')).toHaveLength(4);
    const { operations } = await authority.manage(owner, list, {});
    await authority.manage(owner, remove, { id: operations[0]!.id });
    expect(await outcomeOf(register(owner, `custom.a_${'b'.repeat(54)}`))).toBe('invalid_request');
    expect(await outcomeOf(register(owner, operations[0]!.id))).toBe('ok');
  });

  test('is changed with a fresh sign-in alone while the Workspace has a rule of approvals', async () => {
    const owner = await anOwner();
    await register(owner);
    await authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules: [{ callers: 'grants' }] });
    expect(await outcomeOf(register(owner, REFUND, { title: 'x' }))).toBe('fresh_sign_in_required');
    expect(await outcomeOf(authority.manage(owner, remove, { id: REFUND }))).toBe('fresh_sign_in_required');
    expect(await outcomeOf(authority.manage(owner, get, { id: REFUND }))).toBe('ok');
    const fresh = { ...owner, isFresh: true } as const;
    expect(await outcomeOf(register(fresh, REFUND, { title: 'x' }))).toBe('ok');
    await authority.manage(owner, approvalRoutes.setRules, { revision: 1, rules: [] });
    expect(await outcomeOf(authority.manage(owner, remove, { id: REFUND }))).toBe('ok');
  });

  test('is listed and removed by operators', async () => {
    const owner = await anOwner();
    const { operation } = await register(owner);
    const of = { workspace: owner.workspaceId };
    expect((await authority.admin(listCustomOperationsOf, of)).operations).toMatchObject([{ id: REFUND }]);
    const removed = await authority.admin(removeCustomOperationOf, { ...of, operation: REFUND });
    expect(removed.operation).toMatchObject({ definitionId: operation.definitionId, status: 'removed' });
    expect(await outcomeOf(authority.authorize(session(owner), REFUND))).toBe('unknown_operation');
    const unknown = authority.admin(removeCustomOperationOf, { ...of, operation: 'custom.no_such' });
    expect(await outcomeOf(unknown)).toBe('custom_operation_not_found');
  });

  test('leaves one event for each change, without content', async () => {
    const reader = await EventReader.open(authority.platform);
    const owner = await anOwner();
    for (const _ of [1, 2]) await register(owner);
    await register(owner, REFUND, { title: 'Secret title' });
    for (const _ of [1, 2]) await authority.manage(owner, remove, { id: REFUND });
    const { operation } = await register(owner);
    await reader.until(owner.workspaceId, 5);
    const [, ...events] = await reader.read(owner.workspaceId);
    expect(events.map(({ type }) => type)).toEqual([
      'custom_operation.registered',
      'custom_operation.changed',
      'custom_operation.removed',
      'custom_operation.registered',
    ]);
    for (const { subject, data } of events) {
      expect(subject).toBe(operation.definitionId);
      expect(data).toMatchObject({
        operation_id: REFUND,
        definition_id: subject,
        actor: { user_id: owner.userId },
      });
    }
    expect(JSON.stringify(events)).not.toMatch(/Secret title|orders\.example/);
  });
});

test('no deployment without a public URL takes one', async () => {
  const without = new TestAuthority();
  try {
    await without.start();
    const owner = await without.member({ role: 'owner' });
    await expectInvalid(without.manage(owner, put, { ...refund, id: REFUND }), 'PUBLIC_URL');
  } finally {
    await without.stop();
  }
});

describe('a call of a custom operation', () => {
  test('is for Members and within the scope of a grant before it exists', async () => {
    const owner = await anOwner();
    await register(owner);
    expect(await outcomeOf(authority.operationGrant(owner, 'custom.no_such'))).toBe('invalid_request');
    const single = holder(await authority.operationGrant(owner, REFUND));
    const routine = holder(await authority.routineGrant(owner, { operations: [REFUND], data: {} }));
    expect(await outcomeOf(authority.authorize(single, REFUND))).toBe('ok');
    expect(await outcomeOf(authority.authorize(routine, REFUND, 'run-1'))).toBe('ok');
    for (const id of ['custom.no_such', 'custom.other_one'])
      expect(await outcomeOf(authority.authorize(single, id))).toBe('grant_scope_exceeded');
    const stranger = session({ ...owner, userId: 'stranger' });
    for (const id of [REFUND, 'custom.no_such'])
      expect(await outcomeOf(authority.authorize(stranger, id))).toBe('workspace_membership_required');
    await authority.manage(owner, remove, { id: REFUND });
    expect(await outcomeOf(authority.authorize(single, REFUND))).toBe('unknown_operation');
    expect(await outcomeOf(authority.operationGrant(owner, REFUND))).toBe('invalid_request');
  });

  test('is discovered with its revision until it is removed, by grants that are for it alone', async () => {
    const owner = await anOwner();
    const { workspaceId } = owner;
    const discovered = async (scope: string) => {
      const credential = holder(await authority.operationGrant(owner, scope));
      return await authority.platform.callAs('gateway', discover, { credential });
    };
    for (const id of [REFUND, 'custom.old_one']) await register(owner, id);
    await authority.manage(owner, remove, { id: 'custom.old_one' });
    const custom = { workspaceId, revisions: { [REFUND]: 1 } };
    expect(await discovered(REFUND)).toEqual({ operations: [REFUND], custom });
    expect(await discovered('record_store.get_record')).toEqual({ operations: ['record_store.get_record'] });
    const all = await authority.platform.callAs('gateway', discover, { credential: session(owner) });
    expect(all).toEqual({ operations: expect.arrayContaining([REFUND]), custom });
  });

  test('is discovered by every Member, whenever they were added', async () => {
    const owner = await anOwner();
    const { workspaceId: workspace } = owner;
    const added = async () => await authority.member({ workspace });
    const members = (
      await Promise.all([
        ...Array.from({ length: 20 }, added),
        register(owner).then(() => owner),
        ...Array.from({ length: 20 }, added),
      ])
    ).concat(await added());
    for (const member of members) expect(await authority.discover(session(member))).toContain(REFUND);
  });

  test('that writes may be named by a rule of approvals, and its approval says whether it is destructive', async () => {
    const owner = await anOwner();
    await register(owner, REFUND, { destructive: true });
    await register(owner, 'custom.find_order', { effect: 'read' });
    const rules = (operations: string[]) =>
      authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules: [{ operations }] });
    for (const id of ['custom.no_such', 'custom.find_order'])
      expect(await outcomeOf(rules([id]))).toBe('invalid_request');
    await rules([REFUND]);
    const call = { principal: asPrincipal(owner), operation: REFUND, key: 'k', revision: 1, body: '' };
    await authority.platform.callAs('record-store', hold, call);
    const { approvals } = await authority.manage(owner, approvalRoutes.list, {});
    expect(approvals).toMatchObject([{ operation: REFUND, isDestructive: true }]);
  });
});
