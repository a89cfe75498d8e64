import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '@action-platform/contracts/authority';
import { setMemberRole } from '@action-platform/contracts/calls';
import type { ActionError } from '@action-platform/contracts/errors';
import { approvalRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { EventReader } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { asPrincipal, DELETE, heldCalls, PUSH } from '../test-support/held-calls.ts';
import { expectInvalid, outcomeOf, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({
  replicas: 2,
  environment: {
    APPROVAL_REPEAT_SECONDS: '2',
    CALLER_PENDING_APPROVALS_MAX: '5',
    WORKSPACE_PENDING_APPROVALS_MAX: '12',
  },
});
const { held, setRules, ask, waiting, decide, read } = heldCalls(authority);

describe('a held call', () => {
  test('waits, executes once approved and for a while after its first use, and asks anew later', async () => {
    const owner = await held();
    const caller = asPrincipal(owner);
    const id = await waiting(caller);
    expect(await waiting(caller)).toBe(id);
    expect(await read(owner, id)).toMatchObject({ status: 'pending', operation: PUSH, via: 'session' });
    await decide(owner, id);
    expect(await read(owner, id)).toMatchObject({ status: 'approved', decidedBy: owner.userId });
    expect(await ask(caller)).toEqual({ verdict: 'approved', approvalId: id });
    expect(await ask(caller)).toEqual({ verdict: 'approved', approvalId: id });
    expect((await read(owner, id)).status).toBe('used');
    while ((await ask(caller)).verdict === 'approved') await delay(100);
    const next = await ask(caller);
    expect(next).toMatchObject({ verdict: 'waiting' });
    const second = await read(owner, (next as { approvalId: string }).approvalId);
    expect(second).toMatchObject({ formerId: id, before: { approved: 1, rejected: 0 } });
    expect(await read(owner, id)).not.toHaveProperty('before');
    await decide(owner, second.id, 'reject');
    expect(await read(owner, second.id)).toMatchObject({ before: { approved: 1, rejected: 0 } });
  });

  test('is executed with the text that was approved, whatever spelling of the value repeats it', async () => {
    const owner = await held();
    const body = '{"b":[1.0],"a":100e0}';
    const id = await waiting(asPrincipal(owner), { body });
    await decide(owner, id);
    const approved = { verdict: 'approved', approvalId: id };
    expect(await ask(asPrincipal(owner), { body })).toEqual(approved);
    for (const other of ['{"a":100,"b":[1]}', '{ "b":[1e0], "a":1e2 }'])
      expect(await ask(asPrincipal(owner), { body: other })).toEqual({
        ...approved,
        body: Buffer.from(body).toString('base64'),
      });
  });

  test('is rejected with the reason until that lapses', async () => {
    const owner = await held();
    const id = await waiting(asPrincipal(owner));
    await decide(owner, id, 'reject', '$no');
    expect(await ask(asPrincipal(owner))).toEqual({ verdict: 'rejected', approvalId: id, reason: '$no' });
  });

  test('needs an approver who could approve it now', async () => {
    const owner = await held();
    const { workspaceId: workspace } = owner;
    const approver = await authority.member({ role: 'owner', workspace });
    const caller = asPrincipal(owner);
    const approved = async () => {
      const id = await waiting(caller);
      await decide(approver, id);
      return id;
    };
    const first = await approved();
    await authority.admin(setMemberRole, { workspace, user: approver.userId, role: 'member' });
    const second = await waiting(caller);
    expect(second).not.toBe(first);
    expect((await read(owner, first)).status).toBe('lapsed');
    await decide(owner, second);
    await setRules(owner, [{ preventSelfApproval: true }]);
    expect(await waiting(caller)).not.toBe(second);
  });

  test('is another one with another input, operation, key or grant', async () => {
    const caller = asPrincipal(await held());
    const ids = [];
    for (const call of [{}, { body: '{"a":2}' }, { operation: DELETE }, { key: 'k' }])
      ids.push(await waiting(caller, call));
    ids.push(await waiting({ ...caller, operationGrantId: 'ogr_1' }));
    expect(new Set(ids).size).toBe(5);
  });

  test('waits with four others of its caller and eleven of its Workspace, also when many come at once', async () => {
    const owner = await held();
    const { workspaceId: workspace } = owner;
    const session = asPrincipal(owner);
    const grants = ['ogr_1', 'rgr_2'].map((operationGrantId) => ({ ...session, operationGrantId }));
    const body = (n: number) => ({ body: `{"a":${n}}` });
    /** How many of 15 calls at once wait; the others are refused. */
    const storm = async (caller: Principal, has: string) => {
      const outcome = async (n: number): Promise<string> => {
        try {
          return (await ask(caller, body(n))).verdict;
        } catch (error) {
          const { code, message } = error as ActionError;
          // A busy machine takes too long for some calls, which then do nothing.
          return code === 'action_platform_unavailable' ? await outcome(n) : message;
        }
      };
      const outcomes = await Promise.all(Array.from({ length: 15 }, (_, n) => outcome(n)));
      const refused = outcomes.filter((each) => each !== 'waiting');
      for (const message of refused) expect(message).toContain(has);
      return 15 - refused.length;
    };
    expect(await storm(session, 'This caller has 5 calls')).toBe(5);
    expect(await storm(grants[0]!, 'This caller has 5 calls')).toBe(5);
    expect(await storm(grants[1]!, 'The Workspace has 12 calls')).toBe(2);

    const { approvals: waitingNow } = await authority.manage(owner, approvalRoutes.list, { limit: 50 });
    await decide(owner, waitingNow[0]!.id, 'reject');
    const { approvals } = await authority.collections();
    const lapsed = { workspace_id: workspace, 'origin.grant_id': { $exists: false } };
    await approvals.updateMany(lapsed, [{ $set: { pending_until: '$$NOW' } }]);
    expect(await storm({ ...session, operationGrantId: 'ogr_3' }, 'This caller has 5 calls')).toBe(5);
    expect(await storm(session, 'The Workspace has 12 calls')).toBe(1);
  });

  test('counts those that the version before stored', async () => {
    const owner = await held();
    const caller = asPrincipal(owner);
    for (let n = 0; n < 4; n++) await waiting(caller, { body: `{"a":${n}}` });
    const { approvals } = await authority.collections();
    const ofWorkspace = { workspace_id: owner.workspaceId };
    await approvals.updateMany(ofWorkspace, { $unset: { slot: 1, caller_slot: 1 } });
    await waiting(caller, { body: '{"a":4}' });
    await expectInvalid(ask(caller, { body: '{"a":5}' }), 'This caller has 5 calls');
  });
});

describe('a decision', () => {
  test('counts when it is the first; its Owner may repeat it', async () => {
    const owner = await held();
    const other = await authority.member({ role: 'owner', workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(owner));
    const outcomes = await Promise.all([
      outcomeOf(decide(owner, id)),
      outcomeOf(decide(other, id, 'reject')),
    ]);
    expect(outcomes.sort()).toEqual(['approval_not_pending', 'ok']);
    const { decidedBy, status } = await read(owner, id);
    const [first, second] = decidedBy === owner.userId ? [owner, other] : [other, owner];
    const verdict = status === 'approved' ? 'approve' : 'reject';
    expect(await decide(first, id, verdict)).toEqual(await read(owner, id));
    expect(await outcomeOf(decide(second, id, verdict))).toBe('approval_not_pending');
    expect(await outcomeOf(decide(first, id, verdict, 'another reason'))).toBe('approval_not_pending');
  });

  test('is another Owner’s where a rule says so', async () => {
    const owner = await held([{ preventSelfApproval: true }]);
    const other = await authority.member({ role: 'owner', workspace: owner.workspaceId });
    const id = await waiting(asPrincipal(owner));
    expect(await outcomeOf(decide(owner, id))).toBe('other_approver_required');
    expect(await decide(other, id)).toMatchObject({
      status: 'approved',
      preventSelfApproval: true,
    });
  });

  test('is of this Workspace', async () => {
    const owner = await held();
    const id = await waiting(asPrincipal(owner));
    expect(await outcomeOf(decide(await held(), id))).toBe('approval_not_found');
    expect(await outcomeOf(decide(owner, 'x'))).toBe('approval_not_found');
  });
});

test('a Member sees their own approvals, an Owner all, newest first, by status', async () => {
  const owner = await held();
  const member = await authority.member({ workspace: owner.workspaceId });
  const ids = [];
  for (const body of ['{"a":1}', '{"a":2}', '{"a":3}'])
    ids.unshift(await waiting(asPrincipal(member), { body }));
  const own = await waiting(asPrincipal(owner), { body: '{"input":{"x":12345678901234567890}}' });
  await decide(owner, ids[1]!);
  const list = async (who: SessionClaims, query: object = {}) =>
    (await authority.manage(who, approvalRoutes.list, { limit: 50, ...query })).approvals.map(({ id }) => id);
  expect(await list(member)).toEqual(ids);
  expect(await list(owner)).toEqual([own, ...ids]);
  expect(await list(owner, { status: 'approved' })).toEqual([ids[1]]);
  expect(await list(member, { status: 'pending' })).toEqual([ids[0], ids[2]]);
  expect(await list(owner, { status: 'lapsed' })).toEqual([]);
  const first = await authority.manage(owner, approvalRoutes.list, { limit: 2 });
  expect(await list(owner, { limit: 2, cursor: first.nextCursor! })).toEqual([ids[1], ids[2]]);
  expect(await outcomeOf(read(member, own))).toBe('approval_not_found');
  const { body } = await authority.reply(owner, approvalRoutes.get, JSON.stringify({ id: own }));
  expect(Buffer.from(body).toString()).toContain('"input":{"input":{"x":12345678901234567890}}');
});

test('questions, decisions and rules are events', async () => {
  const reader = await EventReader.open(authority.platform);
  const owner = await held();
  const id = await waiting({ ...asPrincipal(owner), operationGrantId: 'ogr_1' });
  await decide(owner, id);
  const about = { approval_id: id, operation_id: PUSH, user_id: owner.userId, grant_id: 'ogr_1' };
  const events = await reader.until(owner.workspaceId, 4);
  expect(events).toMatchObject([
    { type: 'member.added' },
    {
      type: 'approval_rules.changed',
      subject: owner.workspaceId,
      data: { actor: { user_id: owner.userId } },
    },
    { type: 'approval.requested', subject: id, data: { ...about, actor: { grant_id: 'ogr_1' } } },
    { type: 'approval.approved', subject: id, data: { ...about, actor: { user_id: owner.userId } } },
  ]);
  expect(JSON.stringify(events)).not.toContain('"a"');
});
