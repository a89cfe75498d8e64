import { webhookRoutes } from '@action-platform/contracts/resources';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { slack } from '../../test-support/chats.ts';
import { KEY, TestWebhooks } from '../../test-support/test-webhooks.ts';
import { MESSAGE_PAUSE_MS } from './delivery-writes.ts';

const webhooks = new TestWebhooks();
beforeAll(async () => {
  await webhooks.start();
  await webhooks.startReplica(KEY, { PUBLIC_URL: 'https://platform.example.com' });
});
afterAll(() => webhooks.stop());

test('a replica pauses between two messages to a chat, also when each is a test of the endpoint', async () => {
  const times: number[] = [];
  webhooks.answer = ({ headers, body }, response) => {
    times.push(performance.now());
    const { status, body: answer } = slack(headers['content-type'], body);
    response.writeHead(status).end(answer);
  };
  const { endpoint } = await webhooks.create({ form: 'slack' });
  for (const _ of [1, 2, 3, 4]) await webhooks.call(webhookRoutes.test, { id: endpoint.id });
  await webhooks.until(4);
  const pauses = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(MESSAGE_PAUSE_MS);
});
