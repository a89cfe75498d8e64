import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { suspendedWorkspaces } from '@action-platform/contracts/calls';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { FailingMongod, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Collection, Db } from 'mongodb';
import { TestWebhooks } from '../../test-support/test-webhooks.ts';
import type { StoredEndpoint } from '../endpoints/stored-endpoint.ts';
import { Deliveries } from './deliveries.ts';
import { newDelivery, type StoredDelivery } from './stored-delivery.ts';

let mongod: FailingMongod;
let webhooks: TestWebhooks;
let db: Db;
let deliveries: Collection<StoredDelivery>;
let endpoints: Collection<StoredEndpoint>;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  webhooks = new TestWebhooks(new TestPlatform({ mongodbUrl: mongod.url }));
  await webhooks.start();
  await webhooks.startReplica();
  await webhooks.startReplica();
  ({ db } = await webhooks.platform.database('events'));
  deliveries = db.collection('webhook_deliveries');
  endpoints = db.collection('webhook_endpoints');
});
afterAll(async () => {
  await webhooks.stop();
  await mongod.stop();
});

let refused: string;
let neighbour: string;
beforeEach(async () => {
  [refused, neighbour] = [`ws_${randomUUID()}`, `ws_${randomUUID()}`];
  webhooks.received.length = 0;
  webhooks.answer = (_received, response) => response.writeHead(204).end();
});

async function inWorkspace<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
  webhooks.workspaceId = workspaceId;
  return await work();
}
const createIn = (workspaceId: string) =>
  inWorkspace(workspaceId, async () => (await webhooks.create()).endpoint.id);
const publishIn = (workspaceId: string, record: string) =>
  inWorkspace(workspaceId, () => webhooks.publish([record, 1]));

/** Causes that the rows of one endpoint cannot be added; every cause returns its repair. */
const causes: Record<string, (id: string) => Promise<() => Promise<unknown>>> = {
  'the database refuses its rows': async () => {
    const refuse = (validator: object) => db.command({ collMod: 'webhook_deliveries', validator });
    await refuse({ workspace_id: { $ne: refused } });
    return () => refuse({});
  },
  'its stored filter has another type': async (_id) => {
    await endpoints.updateOne({ _id }, { $set: { types: 5 as never } });
    return () => endpoints.updateOne({ _id }, { $set: { types: null } });
  },
};

test.each(Object.entries(causes))(
  'an endpoint delays no other while %s, and gets its events afterwards',
  async (_what, cause) => {
    const id = await createIn(refused);
    await createIn(neighbour);
    const repair = await cause(id);
    await publishIn(refused, 'rec_a');
    await publishIn(neighbour, 'rec_b');
    await webhooks.until(1);
    await publishIn(refused, 'rec_c');
    await publishIn(neighbour, 'rec_d');
    await webhooks.until(2);
    expect(webhooks.commits).toEqual(['rec_b 1', 'rec_d 1']);
    await repair();
    while ((await endpoints.findOne({ _id: id }))!.behind === null) await delay(20);
    await endpoints.updateOne({ _id: id }, { $set: { 'behind.look_at': new Date(1) } });
    await webhooks.until(4);
    expect(webhooks.commits.slice(2).toSorted()).toEqual(['rec_a 1', 'rec_c 1']);
  },
);

test('of deliveries that are settled together, a row that the database refuses keeps its claim alone', async () => {
  const queue = new Deliveries(deliveries);
  const endpoint = (workspace_id: string) => ({ _id: `whe_${workspace_id}`, workspace_id });
  const both = [refused, neighbour].map(endpoint);
  const event = { id: 'evt_1', subject: 'rec_1' };
  await queue.add(both.map((one) => newDelivery(one, event, { order: '1' })));
  const claimed = await Promise.all(both.map(async (one) => (await queue.claim(one))!));
  await deliveries.updateOne({ workspace_id: refused }, { $set: { attempts: 'none' as never } });
  const attempt = { at: new Date(), status: 204, ms: 1 };
  const settled = claimed.map((one) => ({ ...one, status: 'delivered' as const, attempt }));
  const failed = await queue.settle(settled);
  expect([...failed.refused.keys()]).toEqual([settled[0]]);
  expect(await deliveries.findOne({ workspace_id: neighbour })).toMatchObject({
    status: 'delivered',
    attempts: [attempt],
  });
  await deliveries.deleteMany({ workspace_id: refused });
});

test('a process settles its attempt after an outage of the database, and the attempt is not interrupted', async () => {
  const id = await createIn(neighbour);
  const failing = {
    command: 'update',
    namespace: 'events.webhook_deliveries',
    failure: { errorCode: 10107 },
  };
  const arrived = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  webhooks.answer = async (_received, response) => {
    arrived.resolve();
    await answered.promise;
    response.writeHead(204).end();
  };
  await publishIn(neighbour, 'rec_1');
  await arrived.promise;
  const row = { endpoint_id: id };
  await mongod.whileFailing(failing, async () => {
    answered.resolve();
    const ended = [{ $set: { due_at: new Date(1), 'claim.until': new Date(1) } }];
    await deliveries.findOneAndUpdate(row, ended);
    while ((await deliveries.findOne(row))!.claim?.is_awaited === undefined) await delay(20);
  });
  while ((await deliveries.findOne(row))!.status === 'waiting') await delay(20);
  const [delivery] = (await webhooks.call(webhookRoutes.deliveries, { id })).deliveries;
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 204 }] });
  expect(delivery!.attempts).toHaveLength(1);
  expect(webhooks.received).toHaveLength(1);
});

test('an attempt whose process ended counts when its Workspace is suspended meanwhile', async () => {
  const endpointId = await createIn(refused);
  await webhooks.platform.answer(suspendedWorkspaces, ({ workspaceIds }) => ({
    suspended: workspaceIds.filter((one) => one === refused),
  }));
  const delivery = await webhooks.interruptedDelivery(endpointId, refused);
  expect(delivery).toMatchObject({ status: 'waiting', attempts: [{ failure: 'interrupted' }] });
});
