import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestWebhooks } from '../test-support/test-webhooks.ts';
import { newDelivery, type StoredDelivery } from './queue/stored-delivery.ts';

const webhooks = new TestWebhooks();
beforeAll(async () => {
  webhooks.workspaceId = `ws_${randomUUID()}`;
  await webhooks.start();
  await webhooks.startReplica();
});
afterAll(() => webhooks.stop());

test('the deliveries that wait end once their endpoint is disabled, and not before', async () => {
  webhooks.answer = (_received, response) => response.writeHead(500).end();
  const { id } = (await webhooks.create()).endpoint;
  await webhooks.publish(['rec_1', 1], ['rec_1', 2]);
  await webhooks.until(1);
  const disable = () => webhooks.call(webhookRoutes.change, { id, status: 'disabled' });
  const statuses = async () => {
    const { deliveries } = await webhooks.call(webhookRoutes.deliveries, { id });
    return deliveries.map(({ status }) => status);
  };
  const { db } = await webhooks.platform.database('events');
  const accept = (validator: object) => db.command({ collMod: 'webhook_endpoints', validator });
  await accept({ status: 'enabled' });
  await expect(disable()).rejects.toThrow();
  expect(await statuses()).toEqual(['waiting', 'waiting']);
  await accept({});
  await disable();
  expect(await statuses()).toEqual(['dead', 'dead']);
});

test('an interrupted delivery that comes to a disabled endpoint ends, and does not wait for its next attempt', async () => {
  const { id: _id } = (await webhooks.create()).endpoint;
  await webhooks.call(webhookRoutes.change, { id: _id, status: 'disabled' });
  const { db } = await webhooks.platform.database('events');
  const deliveries = db.collection<StoredDelivery>('webhook_deliveries');
  const [workspace_id, until] = [webhooks.workspaceId, new Date(1)];
  const claim = { owner: 'ended', begun_at: new Date(0), until, is_awaited: true } as const;
  const event = { id: 'evt_1', subject: 'rec_1' };
  const row = newDelivery({ _id, workspace_id }, event, { order: '1', due_at: until, claim });
  await deliveries.insertOne(row);
  const stored = () => deliveries.findOne({ _id: row._id });
  while ((await stored())!.claim !== undefined) await delay(20);
  expect(await stored()).toMatchObject({ status: 'dead', attempts: [] });
});
