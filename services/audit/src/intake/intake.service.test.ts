import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry, PublishedEntry } from '@action-platform/contracts/audit';
import { AUDIT, EVENTS, type Stream } from '@action-platform/contracts/bus';
import {
  type ChangeEventType,
  changeEventOf,
  changeEventTypes,
} from '@action-platform/contracts/change-events';
import { newId, newRequestId } from '@action-platform/contracts/ids';
import { listEntries } from '@action-platform/contracts/operations';
import type { BusUser } from '@action-platform/contracts/services';
import { anEntry, anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { audit } from '../service.ts';
import { storeMessage } from '../test-support/store-message.ts';
import type { StoredProgress } from './progress.ts';

const platform = new TestPlatform();
/** How long a change waits for its entry, in milliseconds. */
const WINDOW_MS = 1_000;
let owner: ReturnType<typeof anOwner>;

beforeAll(async () => {
  await platform.startBeside('events');
  await platform.start([audit, audit], { AUDIT_WINDOW_MS: String(WINDOW_MS) });
  await Promise.all([
    platform.connect('gateway'),
    platform.connect('record-store'),
    platform.connect('mail'),
  ]);
});
afterAll(() => platform.stop());
beforeEach(() => {
  owner = anOwner();
});

const entry = (more: Partial<PublishedEntry> = {}) =>
  anEntry({
    ...{ workspace_id: owner.workspaceId, user_id: owner.userId, at: new Date().toISOString() },
    ...more,
  });

const store = (user: BusUser, stream: Stream, message: Parameters<typeof storeMessage>[3]) =>
  storeMessage(platform, user, stream, message);
const publish = (entries: readonly PublishedEntry[], user: BusUser = 'gateway', id: string = randomUUID()) =>
  store(user, AUDIT, { id: randomUUID(), body: JSON.stringify({ id, entries }) });

const list = async (filters: object = {}): Promise<AuditEntry[]> => [
  ...(await platform.call(listEntries, owner, { limit: 200, ...filters })).result.entries,
];
async function listed(count: number, filters: object = {}): Promise<AuditEntry[]> {
  for (;;) {
    const entries = await list(filters);
    if (entries.length >= count) return entries;
    await delay(50);
  }
}

/** Publishes the event of a push, as the record store does. */
async function push(
  request_id: string,
  more: object = {},
  call: { call_id?: string; collection_id?: string } = {},
) {
  const { workspaceId, userId: user_id } = owner;
  const subject = newId('record');
  const data = { actor: { user_id, ...more }, request_id, collection_id: newId('collection'), ...call };
  const event = changeEventOf('record-store', {
    workspaceId,
    type: 'record.pushed',
    subject,
    time: new Date(),
    data,
  });
  await store('record-store', EVENTS, { workspaceId, id: event.id, body: JSON.stringify([event]) });
  return { record: subject, collection: data.collection_id };
}

describe('entries', () => {
  test('of a message are stored once, however often it comes', async () => {
    const [entries, id] = [[entry(), entry()], randomUUID()];
    await publish(entries, 'gateway', id);
    await listed(2);
    await publish(entries, 'gateway', id);
    await publish([entry({ code: 'invalid_request' })]);
    await listed(1, { code: 'invalid_request' });
    expect(await list()).toHaveLength(3);
  });

  test('of other processes than the gateway are those of operators alone', async () => {
    await publish([entry(), entry({ via: 'operator' })], 'mail');
    await publish([entry(), entry({ via: 'operator' })], 'gateway');
    await store('mail', AUDIT, { id: randomUUID(), body: '{"entries":' });
    const entries = await listed(2);
    expect(entries.map(({ via }) => via).toSorted()).toEqual(['operator', 'session']);
  });

  test('are stored beside one that this version cannot read', async () => {
    await publish([entry({ via: 'of_a_later_version' as never }), entry()]);
    expect(await listed(1)).toMatchObject([{ via: 'session' }]);
  });
});

describe('a change', () => {
  test('without an entry gets one, as nobody knows of an answer; a later entry of its call changes nothing', async () => {
    const request_id = `req_${randomUUID()}`;
    const { record, collection } = await push(request_id, {
      grant_id: newId('routineGrant'),
      invocation_id: 'run-1',
    });
    const [made] = await listed(1, { request_id });
    expect(made).toMatchObject({
      operation: 'record_store.push_record',
      user_id: owner.userId,
      via: 'routine_grant',
      invocation_id: 'run-1',
      targets: [collection, record],
      code: 'ok',
      answered: false,
    });
    await publish([entry({ request_id, at: made!.at }), entry()]);
    await listed(2);
    expect(await list({ request_id })).toEqual([made]);
  });

  test('of a call with several Records is in the one entry of the call, however many messages are between them', async () => {
    const request_id = newRequestId();
    const collection_id = newId('collection');
    const records: string[] = [];
    for (let change = 0; change < 2; change++) {
      records.push((await push(request_id, {}, { collection_id })).record);
      await Promise.all(Array.from({ length: 40 }, () => push(newRequestId())));
    }
    const [made] = await listed(1, { request_id });
    expect(made!.targets).toEqual([collection_id, ...records]);
    await listed(81);
    expect(await list({ request_id })).toEqual([made]);
  });

  test('has an entry when its own service tells of it, also beside an event of an unknown type', async () => {
    const { workspaceId, userId: user_id } = owner;
    const tell = async (user: BusUser, ...types: readonly string[]) => {
      const request_id = newRequestId();
      const change = {
        workspaceId,
        type: 'record.pushed',
        subject: newId('record'),
        time: new Date(),
      } as const;
      const event = changeEventOf('record-store', { ...change, data: { actor: { user_id }, request_id } });
      const body = JSON.stringify(types.map((type) => ({ ...event, type })));
      await store(user, EVENTS, { workspaceId, id: randomUUID(), body });
      return request_id;
    };
    await tell('mail', 'record.pushed');
    const request_id = await tell('record-store', 'record.of_a_later_version', 'record.pushed');
    await listed(1, { request_id });
    expect(await list()).toHaveLength(1);
  });

  test('has the entry of its call alone', async () => {
    const request_id = `req_${randomUUID()}`;
    await push(request_id);
    await publish([entry({ request_id })]);
    const other = `req_${randomUUID()}`;
    await push(other);
    await listed(1, { request_id: other });
    expect(await list({ request_id })).toMatchObject([{ answered: true }]);
  });
});

/** An operation whose gateway ended, with what differs from a Record's in its change and its entry. */
type Died = readonly [operation: string, { subject?: string; data?: object; entry?: Partial<AuditEntry> }?];
/** Any text may be a user id. */
const ofMika = { subject: 'mika, "ö"', data: { user_id: 'mika, "ö"' } };

/**
 * The entries of a change of a type whose gateway ended, by the operations in them; a type without any leads to no entry. A type that is
 * left out has that of the one operation that causes it.
 */
const whenTheGatewayDied: Partial<Record<ChangeEventType, readonly Died[]>> = {
  'record.pushed': [
    ['record_store.push_record'],
    ['record_store.push_records', { data: { operation_id: 'record_store.push_records' } }],
  ],
  'grant.created': [
    ['POST /api/v1/operation-grants', { subject: newId('operationGrant') }],
    ['POST /api/v1/routine-grants', { subject: newId('routineGrant') }],
  ],
  'grant.revoked': [
    ['DELETE /api/v1/operation-grants/{id}', { subject: newId('operationGrant') }],
    ['DELETE /api/v1/routine-grants/{id}', { subject: newId('routineGrant') }],
    ['grant revoke'],
  ],
  'member.added': [
    ['POST /api/v1/members', ofMika],
    ['member add', ofMika],
  ],
  'member.role_changed': [
    ['PATCH /api/v1/members/{userId}', ofMika],
    ['member role', ofMika],
  ],
  'member.renamed': [['PATCH /api/v1/members/{userId}', ofMika]],
  'member.removed': [
    ['DELETE /api/v1/members/{userId}', ofMika],
    ['member remove', ofMika],
  ],
  'app.connected': [['POST /api/v1/app-connections'], ['app connect']],
  'app.disconnected': [['DELETE /api/v1/app-connections/{id}'], ['app disconnect']],
  'workspace.limit_changed': [['workspace limit', { subject: newId('workspace') }]],
  'approval.requested': [
    [
      'record_store.push_record',
      {
        data: { operation_id: 'record_store.push_record' },
        entry: { status: 403, code: 'operation_approval_required', outcome: 'refused' },
      },
    ],
  ],
  'approval.approved': [['POST /api/v1/approvals/{id}/decision']],
  'approval.rejected': [['POST /api/v1/approvals/{id}/decision']],
  'agent_policy.changed': [['PUT /api/v1/agent-policy', { subject: newId('workspace') }]],
  'approval_rules.changed': [['PUT /api/v1/approval-rules', { subject: newId('workspace') }]],
  'custom_operation.registered': [['PUT /api/v1/custom-operations/{id}']],
  'custom_operation.changed': [['PUT /api/v1/custom-operations/{id}']],
  'custom_operation.removed': [['DELETE /api/v1/custom-operations/{id}'], ['custom-operation remove']],
  'connector.changed': [['PUT /api/v1/connectors/{name}']],
  'connector.removed': [['DELETE /api/v1/connectors/{name}']],
  'connector.failing': [],
  'connector.tool_changed': [],
  'custom_operation.executed': [['custom.refund_order', { data: { operation_id: 'custom.refund_order' } }]],
  'mail.failed': [['mail.send_email', { entry: { outcome: 'failed' } }]],
  'mail.denied': [],
  'sender.added': [['POST /api/v1/senders'], ['sender add']],
  'sender.changed': [['PATCH /api/v1/senders/{id}'], ['sender add']],
  'sender.removed': [['DELETE /api/v1/senders/{id}'], ['sender remove']],
  'webhook_endpoint.created': [['POST /api/v1/webhook-endpoints']],
  'webhook_endpoint.changed': [
    ['PATCH /api/v1/webhook-endpoints/{id}'],
    ['POST /api/v1/webhook-endpoints/{id}/rotate', { data: { secret_rotated: true } }],
  ],
  'webhook_endpoint.deleted': [['DELETE /api/v1/webhook-endpoints/{id}']],
  'webhook_endpoint.failing': [],
  'feed.gap': [],
};

test('the changes of calls whose gateway died have the entries of their operations', async () => {
  const { workspaceId, userId } = owner;
  const types = Object.entries(changeEventTypes) as [
    ChangeEventType,
    (typeof changeEventTypes)['feed.gap'],
  ][];
  // Each case waits for its entry, all at the same time.
  const cases = types.flatMap(([type, { services, cause }]) => {
    const service = services[0]!;
    const { call } = cause({ subject: '', data: { actor: {} } }) ?? {};
    const entered: readonly Died[] = whenTheGatewayDied[type] ?? [[call!]];
    return (entered.length === 0 ? [[undefined]] : entered).map(
      ([operation, { subject, data, entry } = {}]) => {
        const isOperators = operation !== undefined && /^[a-z-]+ /.test(operation);
        const [about, request_id, user_id] = [
          subject ?? newId('record'),
          newRequestId(),
          isOperators ? 'root' : userId,
        ];
        const event = changeEventOf(service, {
          ...{ workspaceId, type, subject: about, distinct: request_id, time: new Date() },
          data: { actor: isOperators ? { operator: 'root' } : { user_id }, request_id, ...data },
        });
        const made = { request_id, operation, user_id, targets: [about], answered: false };
        return { service, event, entry: { ...made, status: 200, code: 'ok', outcome: 'done', ...entry } };
      },
    );
  });
  await Promise.all(
    cases.map(({ service, event }) =>
      store(service, EVENTS, { workspaceId, id: event.id, body: JSON.stringify([event]) }),
    ),
  );
  const expected = cases.map(({ entry }) => entry).filter(({ operation }) => operation !== undefined);
  const entries = await listed(expected.length);
  const byRequest = (all: readonly { request_id: string }[]) =>
    all.toSorted((a, b) => (a.request_id < b.request_id ? -1 : 1));
  expect(byRequest(entries)).toMatchObject(byRequest(expected));
});

describe('calls whose callers chose one request id', () => {
  test('have an entry each, with their own user and targets, when their gateway died', async () => {
    const request_id = 'nightly-import';
    const users = Array.from({ length: 21 }, (_, n) => `user-${n % 2}`);
    const pushed = await Promise.all(
      users.map(async (user_id) => ({
        user_id,
        ...(await push(request_id, { user_id }, { call_id: newRequestId() })),
      })),
    );
    const entries = await listed(21, { request_id });
    expect(new Set(entries.map(({ user_id, targets }) => `${user_id} ${targets}`))).toEqual(
      new Set(pushed.map(({ user_id, collection, record }) => `${user_id} ${[collection, record]}`)),
    );
    expect(entries).toHaveLength(21);
  });

  test('hide no change of the call that has this id from the gateway', async () => {
    const request_id = newRequestId();
    const { record } = await push(request_id);
    await publish([entry({ request_id, call_id: newRequestId(), code: 'invalid_request', status: 400 })]);
    const entries = await listed(2, { request_id });
    expect(entries.map(({ code }) => code).toSorted()).toEqual(['invalid_request', 'ok']);
    expect(await list({ request_id, target_id: record })).toMatchObject([{ code: 'ok', answered: false }]);
  });
});

test('the entries of a stream that was set back to a backup are stored', async () => {
  await publish([entry()]);
  await listed(1);
  const { db } = await platform.database('audit');
  const progress = db.collection<StoredProgress>('progress');
  // The database knows more than the stream has; a replica reads that when it takes the lease.
  await progress.updateOne({}, { $inc: { 'AUDIT.sequence': 1_000_000 }, $unset: { lease: true } });
  while ((await progress.findOne({}))?.lease === undefined) await delay(50);
  await publish([entry()]);
  expect(await listed(2)).toHaveLength(2);
});
