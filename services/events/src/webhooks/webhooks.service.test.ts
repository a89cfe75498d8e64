import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { rekeyWebhookSecrets, webhookCalls } from '@action-platform/contracts';
import { profiled, shardingProblems, undocumentedShardKeys, wasteful } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { storedDocuments } from '../stored-documents.ts';
import { KEY, TestWebhooks } from '../test-support/test-webhooks.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';

jest.setTimeout(60_000);

const webhooks = new TestWebhooks();
let [first, second]: Awaited<ReturnType<typeof webhooks.startReplica>>[] = [];
afterEach(async () => {
  const { endpoints } = await webhooks.call(webhookCalls.list, {});
  for (const { id } of endpoints) await webhooks.call(webhookCalls.delete, { id });
});
beforeAll(async () => {
  await webhooks.start();
  first = await webhooks.startReplica();
  second = await webhooks.startReplica();
});
afterAll(() => webhooks.stop());
beforeEach(() => {
  webhooks.workspaceId = `ws_${randomUUID()}`;
  webhooks.received.length = 0;
  webhooks.answer = (_received, response) => response.writeHead(204).end();
});

/** The deliveries of an endpoint once a condition holds. */
async function deliveriesOf(id: string, isReached: (statuses: string[]) => boolean) {
  for (;;) {
    const { deliveries } = await webhooks.call(webhookCalls.deliveries, { id });
    if (isReached(deliveries.map(({ status }) => status))) return deliveries;
    await delay(50);
  }
}
const all = (wanted: string) => (statuses: string[]) => statuses.every((status) => status === wanted);

test('events arrive in order, with the id of the event, and are signed through three rotations', async () => {
  const { endpoint, secret } = await webhooks.create();
  const secrets = [secret!];
  const events = [];
  for (let sequence = 1; sequence <= 4; sequence++) {
    events.push(...(await webhooks.publish(['rec_1', sequence])));
    await webhooks.until(sequence);
    const { headers, body, event } = webhooks.received.at(-1)!;
    expect(headers['webhook-id']).toBe(events.at(-1)!.id);
    expect(event).toEqual(events.at(-1));
    for (const signing of secrets) expect(() => new Webhook(signing).verify(body, headers)).not.toThrow();
    secrets.push((await webhooks.call(webhookCalls.rotate, { id: endpoint.id })).secret!);
  }
  const deliveries = await deliveriesOf(endpoint.id, (statuses) => statuses.length === 4);
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id).toReversed());
  expect(deliveries[0]).toMatchObject({
    status: 'delivered',
    attempts: 1,
    responseStatus: 204,
    failure: null,
  });
});

test('the events of a stream that was set back to a backup arrive', async () => {
  const { endpoint } = await webhooks.create();
  await webhooks.publish(['rec_1', 1]);
  await webhooks.until(1);
  const { db } = await webhooks.platform.database('events');
  // The database knows more than the stream has.
  const ahead = { $inc: { 'position.sequence': 1_000_000, revision: 1 } };
  await db.collection<StoredEndpoint>('webhook_endpoints').updateOne({ _id: endpoint.id }, ahead);
  await webhooks.publish(['rec_2', 1]);
  await webhooks.until(3);
  expect(webhooks.commits).toEqual(['rec_1 1', 'rec_1 1', 'rec_2 1']);
});

test('a failed event holds up later ones of its Record alone, and is repeated with its id', async () => {
  let isFailing = true;
  webhooks.answer = ({ event }, response) => {
    response.writeHead(isFailing && event.subject === 'rec_1' ? 500 : 204).end();
    if (event.subject === 'rec_1') isFailing = false;
  };
  const { endpoint } = await webhooks.create({ types: ['record.pushed', 'record.replaced'] });
  await webhooks.publish(['rec_1', 1], ['rec_2', 1], ['rec_1', 2], ['rec_2', 2]);
  await webhooks.publish(['rec_1', 3], ['rec_2', 3]);
  await webhooks.until(7);
  const of = (record: string) => webhooks.commits.filter((commit) => commit.startsWith(record));
  expect(of('rec_2')).toEqual(['rec_2 1', 'rec_2 2', 'rec_2 3']);
  expect(of('rec_1')).toEqual(['rec_1 1', 'rec_1 1', 'rec_1 2', 'rec_1 3']);
  expect(webhooks.commits.slice(-3)).toEqual(of('rec_1').slice(-3));
  await deliveriesOf(endpoint.id, all('delivered'));
  expect((await webhooks.call(webhookCalls.get, { id: endpoint.id })).endpoint.failingSince).toBeNull();
});

test('the events after a replay begin with its event', async () => {
  const { endpoint } = await webhooks.create();
  const events = await webhooks.publish(['rec_1', 1], ['rec_1', 2], ['rec_1', 3]);
  await webhooks.until(3);
  await webhooks.call(webhookCalls.replay, { id: endpoint.id, eventId: events[1]!.id });
  await webhooks.until(5);
  expect(webhooks.commits.slice(3)).toEqual(['rec_1 2', 'rec_1 3']);
  // An endpoint that was not there yet gets them by a replay, too.
  const { endpoint: later } = await webhooks.create();
  await webhooks.call(webhookCalls.replay, { id: later.id, eventId: events[2]!.id });
  await webhooks.until(6);
  expect(webhooks.commits.at(-1)).toBe('rec_1 3');
});

test('an endpoint that answers 410 is disabled, and what waits for it is dead', async () => {
  webhooks.answer = (_received, response) => response.writeHead(410).end();
  const { endpoint } = await webhooks.create();
  await webhooks.publish(['rec_1', 1], ['rec_1', 2]);
  const deliveries = await deliveriesOf(
    endpoint.id,
    (statuses) => statuses.length === 2 && all('dead')(statuses),
  );
  expect(deliveries.map(({ event }) => event)).toEqual([
    expect.objectContaining({ subject: 'rec_1' }),
    expect.objectContaining({ subject: 'rec_1' }),
  ]);
  expect((await webhooks.call(webhookCalls.get, { id: endpoint.id })).endpoint).toMatchObject({
    status: 'disabled',
    disabledReason: 'gone',
  });
});

test('every query of a call and of a delivery is of one Workspace, and uses an index', async () => {
  const database = await webhooks.platform.database('events');
  const queries = await profiled(database, async () => {
    const { endpoint } = await webhooks.create({ idempotencyKey: 'profiled' });
    await webhooks.publish(['rec_1', 1]);
    await deliveriesOf(endpoint.id, (statuses) => statuses.length === 1);
    await webhooks.call(webhookCalls.change, { id: endpoint.id, status: 'disabled' });
  });
  // Replicas look for endpoints without a lease in all Workspaces.
  const others = queries.filter(({ collection, command }) => {
    const text = JSON.stringify(command);
    const isOfRound = text.includes('"status":"enabled"') && !text.includes('workspace_id');
    return collection !== 'webhook_replicas' && !isOfRound;
  });
  expect(new Set(others.map(({ collection }) => collection))).toContain('webhook_deliveries');
  expect(wasteful(others)).toEqual([]);
  expect(await shardingProblems(database, storedDocuments, others)).toEqual([]);
  expect(undocumentedShardKeys('events', storedDocuments)).toEqual([]);
});

describe('replicas', () => {
  test('share the endpoints, and one that stops leaves its own to the others', async () => {
    const endpoints = await Promise.all(Array.from({ length: 4 }, () => webhooks.create()));
    const { db } = await webhooks.platform.database('events');
    const stored = db.collection<{ _id: string; owner: string | null }>('webhook_endpoints');
    const owners = async () => (await stored.find().toArray()).map(({ owner }) => owner);
    while (new Set(await owners()).size < 2 || (await owners()).includes(null)) await delay(50);
    await first!.stop();
    await webhooks.publish(['rec_1', 1]);
    await webhooks.until(endpoints.length);
    expect(new Set(await owners()).size).toBe(1);
  });

  test('sign with the same secrets under another key, and do not start without a key in use', async () => {
    const { endpoint, secret } = await webhooks.create();
    await webhooks.call(webhookCalls.rotate, { id: endpoint.id });
    const next = `k2:${randomBytes(32).toString('base64')}`;
    const both = await webhooks.startReplica(`${next},${KEY}`);
    await second!.stop();
    const rekeyed = await webhooks.platform.callAs('admin', rekeyWebhookSecrets, {});
    expect(rekeyed).toEqual({ key: 'k2', moved: 1, remaining: 0 });
    await webhooks.startReplica(next);
    await both.stop();
    await webhooks.publish(['rec_1', 1]);
    await webhooks.until(1);
    const { headers, body } = webhooks.received[0]!;
    expect(() => new Webhook(secret!).verify(body, headers)).not.toThrow();
    await expect(webhooks.startReplica()).rejects.toThrow('stored secrets need the key k2');
  });
});
