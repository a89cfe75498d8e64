import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AUDIT,
  type AuditEntry,
  type BusUser,
  changeEventOf,
  EVENTS,
  listEntries,
  newId,
  newRequestId,
  type PublishedEntry,
  type Stream,
} from '@action-platform/contracts';
import { anEntry, anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { audit } from '../service.ts';
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

/** Stores a message in a stream; waits until there is the stream. */
async function store(
  user: BusUser,
  stream: Stream,
  message: { id: string; body: string; workspaceId?: string },
) {
  const bus = await platform.connect(user);
  for (;;) {
    const stored = await bus.streams.store(stream, { ...message, timeoutMs: 5_000 }).catch(() => undefined);
    if (stored !== undefined) return;
    await delay(100);
  }
}
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
async function push(request_id: string, more: object = {}, call: { call_id?: string } = {}) {
  const { workspaceId, userId: user_id } = owner;
  const subject = newId('record');
  const data = { actor: { user_id, ...more }, request_id, ...call, collection_id: newId('collection') };
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

const whenTheGatewayDied = [
  ['events', 'webhook_endpoint.created', 'webhookEndpoint', 'POST /api/v1/webhook-endpoints'],
  ['events', 'webhook_endpoint.changed', 'webhookEndpoint', 'PATCH /api/v1/webhook-endpoints/{id}'],
  ['events', 'webhook_endpoint.changed', 'webhookEndpoint', 'POST /api/v1/webhook-endpoints/{id}/rotate'],
  ['events', 'webhook_endpoint.deleted', 'webhookEndpoint', 'DELETE /api/v1/webhook-endpoints/{id}'],
  ['grants', 'app.connected', 'connection', 'POST /api/v1/app-connections'],
  ['grants', 'app.disconnected', 'connection', 'DELETE /api/v1/app-connections/{id}'],
  ['grants', 'app.connected', 'connection', 'app connect'],
  ['grants', 'app.disconnected', 'connection', 'app disconnect'],
  ['mail', 'sender.added', 'sender', 'POST /api/v1/senders'],
  ['mail', 'sender.changed', 'sender', 'PATCH /api/v1/senders/{id}'],
  ['mail', 'sender.removed', 'sender', 'DELETE /api/v1/senders/{id}'],
  ['mail', 'sender.added', 'sender', 'sender add'],
  ['mail', 'sender.removed', 'sender', 'sender remove'],
] as const;

test('the changes of calls whose gateway died have the entries of their operations', async () => {
  const { workspaceId, userId } = owner;
  // Each waits for its entry: all at the same time.
  const cases = whenTheGatewayDied.map(([service, type, kind, operation]) => {
    const [subject, isOperators] = [newId(kind), !operation.includes('/')];
    const data = {
      actor: isOperators ? { operator: 'root' } : { user_id: userId },
      request_id: newRequestId(),
      ...(operation.endsWith('/rotate') && { secret_rotated: true as const }),
    };
    const event = changeEventOf(service, { workspaceId, type, subject, time: new Date(), data });
    const user_id = isOperators ? 'root' : userId;
    const entered = { operation, user_id, targets: [subject], answered: false };
    return { service, message: { workspaceId, id: event.id, body: JSON.stringify([event]) }, entered };
  });
  await Promise.all(cases.map(({ service, message }) => store(service, EVENTS, message)));
  const entries = await listed(cases.length);
  const bySubject = (a: { targets: string[] }, b: { targets: string[] }) =>
    a.targets[0]! < b.targets[0]! ? -1 : 1;
  expect(entries.toSorted(bySubject)).toMatchObject(cases.map(({ entered }) => entered).toSorted(bySubject));
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
