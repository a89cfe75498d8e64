import { randomUUID } from 'node:crypto';
import { webhookRoutes } from '@action-platform/contracts';
import { FailingMongod, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestWebhooks } from '../test-support/test-webhooks.ts';

/** MongoDB's error code for a failure that no driver repeats: InternalError. */
const INTERNAL_ERROR = 1;

let mongod: FailingMongod;
let webhooks: TestWebhooks;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  webhooks = new TestWebhooks(new TestPlatform({ mongodbUrl: mongod.url }));
  webhooks.workspaceId = `ws_${randomUUID()}`;
  await webhooks.start();
  await webhooks.startReplica();
});
afterAll(async () => {
  await webhooks.stop();
  await mongod.stop();
});

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
  const { databaseName } = (await webhooks.platform.database('events')).db;
  const namespace = `${databaseName}.webhook_endpoints`;
  const failure = { errorCode: INTERNAL_ERROR };
  await mongod.whileFailing({ command: 'findAndModify', namespace, failure }, () =>
    expect(disable()).rejects.toThrow(),
  );
  expect(await statuses()).toEqual(['waiting', 'waiting']);
  await disable();
  expect(await statuses()).toEqual(['dead', 'dead']);
});
