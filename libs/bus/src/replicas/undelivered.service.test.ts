import { operationSubject, pushRecord } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { TestDeployment } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus } from '../bus.ts';
import { ok, text } from '../test-support/test-connections.ts';

const subject = operationSubject(pushRecord);
/** Longer than a test may take: whatever ends, ends for another reason. */
const PATIENT = { timeoutMs: 600_000 };

let deployment: TestDeployment;
let gateway: Bus;
let replica: Bus;
const taken: string[] = [];
const release = Promise.withResolvers<void>();
const asked = Promise.withResolvers<void>();

beforeAll(async () => {
  deployment = await TestDeployment.start({ tls: false });
  const url = deployment.natsUrl;
  const connect = (user: 'gateway' | 'record-store') =>
    connectBus({ url, user, seed: deployment.read(paths.seed(user)), maxMessageBytes: 64 * 1024 });
  gateway = await connect('gateway');
  replica = await connect('record-store');
  replica.serve(subject, 'record-store', async ({ body }) => {
    taken.push(text(body));
    asked.resolve();
    await release.promise;
    return ok(`answer to ${text(body)}`);
  });
  await replica.flush();
});
afterAll(async () => {
  await gateway.drain();
  await replica.drain();
  await deployment.stop();
});

test('a write whose answer the NATS server refuses, as it has read its configuration again, is answered, and made once', async () => {
  const answer = gateway.request(subject, 'a write', PATIENT);
  await asked.promise;
  await deployment.apply(deployment.deployment, ['reload-bus']);
  release.resolve();
  expect(text((await answer).body)).toBe('answer to a write');
  expect(taken).toEqual(['a write']);
});
