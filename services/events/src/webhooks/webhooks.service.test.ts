import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { rekeyWebhookSecrets } from '@action-platform/contracts/calls';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { EventReader, profiled, shardingProblems, wasteful } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { storedDocuments } from '../stored-documents.ts';
import { KEY, TestWebhooks } from '../test-support/test-webhooks.ts';
import type { StoredFanOut } from './queue/fan-out.ts';

jest.setTimeout(60_000);

const webhooks = new TestWebhooks();
let [first, second]: Awaited<ReturnType<typeof webhooks.startReplica>>[] = [];
afterEach(async () => {
  const { endpoints } = await webhooks.call(webhookRoutes.list, {});
  for (const { id } of endpoints) await webhooks.call(webhookRoutes.delete, { id });
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
    const { deliveries } = await webhooks.call(webhookRoutes.deliveries, { id });
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
    secrets.push((await webhooks.call(webhookRoutes.rotate, { id: endpoint.id })).secret!);
  }
  const deliveries = await deliveriesOf(endpoint.id, (statuses) => statuses.length === 4);
  expect(deliveries.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id).toReversed());
  expect(deliveries[0]).toMatchObject({
    status: 'delivered',
    attempts: [{ at: expect.any(String), status: 204, ms: expect.any(Number) }],
    event: null,
  });
});

/** Has the fan-out of whichever replica find a stream that is not the one that it has read so far. */
async function anotherStream(change: object): Promise<void> {
  const { db } = await webhooks.platform.database('events');
  const fanOut = db.collection<StoredFanOut>('webhook_fan_out');
  await fanOut.updateOne({ _id: 'fan_out' }, { ...change, $unset: { lease: true } });
  while ((await fanOut.findOne({}))?.lease === undefined) await delay(50);
}

test.each([
  ['set back to a backup', { $inc: { 'read.sequence': 1_000_000 } }],
  ['created anew', { $set: { 'read.created_at': new Date(0), 'read.sequence': 1 } }],
])(
  'the events of a stream that was %s arrive while replicas run, and those that arrived do not again',
  async (_what, change) => {
    await webhooks.create();
    await webhooks.publish(['rec_1', 1]);
    await webhooks.until(1);
    await anotherStream(change);
    await webhooks.publish(['rec_2', 1]);
    await webhooks.until(2);
    expect(webhooks.commits).toEqual(['rec_1 1', 'rec_2 1']);
  },
);

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
  expect((await webhooks.call(webhookRoutes.get, { id: endpoint.id })).endpoint.failingSince).toBeNull();
});

test('one delivery is sent again alone, with the attempts before', async () => {
  const { endpoint } = await webhooks.create();
  const [event] = await webhooks.publish(['rec_1', 1], ['rec_1', 2]);
  await webhooks.until(2);
  const deliveryNow = async () =>
    (await deliveriesOf(endpoint.id, all('delivered'))).find(({ eventId }) => eventId === event!.id);
  const delivery = await deliveryNow();
  const resend = (deliveryId: string) => webhooks.call(webhookRoutes.resend, { id: endpoint.id, deliveryId });
  await resend(delivery!.id);
  await webhooks.until(3);
  expect(webhooks.commits).toEqual(['rec_1 1', 'rec_1 2', 'rec_1 1']);
  const again = await deliveryNow();
  expect(again!.attempts).toEqual([
    ...delivery!.attempts,
    { at: expect.any(String), status: 204, ms: expect.any(Number) },
  ]);
  await expect(resend('evt_unknown')).rejects.toMatchObject({ code: 'webhook_delivery_not_found' });
});

test('a delivery that is sent again during its attempt is that attempt, whose success counts', async () => {
  const { endpoint } = await webhooks.create();
  const underWay = Promise.withResolvers<() => void>();
  webhooks.answer = (_received, response) =>
    underWay.resolve(() => void response.writeHead(webhooks.received.length === 1 ? 204 : 500).end());
  const [event] = await webhooks.publish(['rec_1', 1]);
  const answer = await underWay.promise;
  const resend = () => webhooks.call(webhookRoutes.resend, { id: endpoint.id, deliveryId: event!.id });
  expect((await resend()).delivery.status).toBe('waiting');
  await resend();
  answer();
  const [delivery] = await deliveriesOf(endpoint.id, all('delivered'));
  expect(delivery!.attempts).toMatchObject([{ status: 204 }]);
  expect(webhooks.received).toHaveLength(1);
});

test('an endpoint for some Collections gets the events of these alone', async () => {
  await webhooks.create({ collectionIds: ['col_2'] });
  webhooks.collectionId = 'col_1';
  await webhooks.publish(['rec_1', 1]);
  webhooks.collectionId = 'col_2';
  await webhooks.publish(['rec_2', 1]);
  await webhooks.until(1);
  expect(webhooks.commits).toEqual(['rec_2 1']);
});

test('of thirty endpoints that are created at once a Workspace has ten', async () => {
  const creating = Array.from({ length: 30 }, () => webhooks.create());
  const created = (await Promise.allSettled(creating)).filter(({ status }) => status === 'fulfilled');
  expect(created).toHaveLength(10);
  expect((await webhooks.call(webhookRoutes.list, {})).endpoints).toHaveLength(10);
});

test('of many test events the last ten are kept', async () => {
  webhooks.answer = (_received, response) => response.writeHead(500).end();
  const { endpoint } = await webhooks.create();
  for (let n = 0; n < 12; n++) await webhooks.call(webhookRoutes.test, { id: endpoint.id });
  const { deliveries } = await webhooks.call(webhookRoutes.deliveries, { id: endpoint.id });
  expect(deliveries.map(({ type }) => type)).toEqual(Array.from({ length: 10 }, () => 'webhook.test'));
});

test('what Owners do to an endpoint, and that it begins to fail, are events', async () => {
  const { endpoint } = await webhooks.create();
  const { id } = endpoint;
  await webhooks.call(webhookRoutes.change, { id, description: 'Index' });
  await webhooks.call(webhookRoutes.rotate, { id });
  webhooks.answer = (_received, response) => response.writeHead(500).end();
  await webhooks.publish(['rec_1', 1]);
  await webhooks.until(1);
  while ((await webhooks.call(webhookRoutes.get, { id })).endpoint.failingSince === null) await delay(50);
  await webhooks.call(webhookRoutes.delete, { id });
  const reader = await EventReader.open(webhooks.platform);
  const events = (await reader.until(webhooks.workspaceId, 6)).filter(({ subject }) => subject === id);
  const actor = { user_id: 'olga' };
  expect(events.map(({ type, data }) => [type, data.secret_rotated, data.actor, data.endpoint_id])).toEqual([
    ['webhook_endpoint.created', undefined, actor, id],
    ['webhook_endpoint.changed', undefined, actor, id],
    ['webhook_endpoint.changed', true, actor, id],
    ['webhook_endpoint.failing', undefined, {}, id],
    ['webhook_endpoint.deleted', undefined, actor, id],
  ]);
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
  expect((await webhooks.call(webhookRoutes.get, { id: endpoint.id })).endpoint).toMatchObject({
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
    await webhooks.call(webhookRoutes.change, { id: endpoint.id, status: 'disabled' });
  });
  // The fan-out reads which endpoints are behind, and the worker those of what it has claimed.
  const others = queries.filter(({ collection, command }) => {
    const ofAll = /"filter":\{"(behind.look_at"|_id":\{"\$in")|"distinct"/;
    return collection !== 'webhook_fan_out' && !ofAll.test(JSON.stringify(command));
  });
  expect(new Set(others.map(({ collection }) => collection))).toContain('webhook_deliveries');
  expect(wasteful(others)).toEqual([]);
  expect(await shardingProblems('events', database, storedDocuments, others)).toEqual([]);
});

describe('replicas', () => {
  test('leave the attempts under way to the others when they stop', async () => {
    const { endpoint } = await webhooks.create();
    webhooks.answer = () => {};
    await webhooks.publish(['rec_1', 1], ['rec_2', 1]);
    await webhooks.until(1);
    webhooks.answer = (_received, response) => response.writeHead(204).end();
    await first!.stop();
    await deliveriesOf(endpoint.id, (statuses) => statuses.length === 2 && all('delivered')(statuses));
  });

  test('sign with the same secrets under another key, and do not start without a key in use', async () => {
    const { endpoint, secret } = await webhooks.create();
    await webhooks.call(webhookRoutes.rotate, { id: endpoint.id });
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
