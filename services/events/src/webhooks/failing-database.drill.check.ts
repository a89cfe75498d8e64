import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { FailingMongod, listen, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { KEY, TestWebhooks } from '../test-support/test-webhooks.ts';

jest.setTimeout(90_000);

let mongod: FailingMongod;
let webhooks: TestWebhooks;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  webhooks = new TestWebhooks(new TestPlatform({ mongodbUrl: mongod.url }));
  await webhooks.start();
});
afterAll(async () => {
  await webhooks.stop();
  await mongod.stop();
});

test('a replica whose loop that looks for deliveries that are due hangs is not ready', async () => {
  const unused = createServer();
  const port = await listen(unused);
  unused.close();
  await webhooks.startReplica(KEY, { HEALTH_PORT: String(port) });
  const ready = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    return { status: response.status, body: (await response.json()) as { missing?: string[] } };
  };
  const until = async (status: number) => {
    for (let now = await ready(); ; now = await ready()) {
      if (now.status === status) return now.body;
      await delay(100);
    }
  };
  await until(200);
  const { databaseName } = (await webhooks.platform.database('events')).db;
  const failure = { blockConnection: true, blockTimeMS: 15_000 } as const;
  const distinct = { command: 'distinct', namespace: `${databaseName}.webhook_deliveries`, failure };
  await mongod.whileFailing(distinct, async () => {
    expect(await until(503)).toMatchObject({ missing: ['webhook deliveries'] });
  });
  await until(200);
});
