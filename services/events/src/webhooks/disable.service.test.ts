import { randomUUID } from 'node:crypto';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestWebhooks } from '../test-support/test-webhooks.ts';

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
  const { id } = (await webhooks.create()).endpoint;
  await webhooks.call(webhookRoutes.change, { id, status: 'disabled' });
  expect(await webhooks.interruptedDelivery(id)).toMatchObject({ status: 'dead', attempts: [] });
});
