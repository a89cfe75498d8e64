import { operationSubject, pushRecord } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { TestDeployment } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Bus, connectBus } from '../bus.ts';
import { ok, text, until } from '../test-support/test-connections.ts';

const subject = operationSubject(pushRecord);
/** Longer than a test: a request never ends by its timeout. */
const NO_TIMEOUT = { timeoutMs: 600_000 };

let deployment: TestDeployment;
let gateway: Bus;
let replica: Bus;
const taken: string[] = [];
const release = Promise.withResolvers<void>();

beforeAll(async () => {
  deployment = await TestDeployment.start({ tls: false });
  const url = deployment.natsUrl;
  const connect = (user: 'gateway' | 'record-store') =>
    connectBus({ url, user, seed: deployment.read(paths.seed(user)), maxMessageBytes: 64 * 1024 });
  gateway = await connect('gateway');
  replica = await connect('record-store');
  replica.serve(subject, 'record-store', async ({ body }) => {
    taken.push(text(body));
    await release.promise;
    return ok(`answer to ${text(body)}`);
  });
  await replica.flush();
  await gateway.flush();
});
afterAll(async () => {
  await gateway.drain();
  await replica.drain();
  await deployment.stop();
});

test('a write runs once and is answered, though the NATS server refuses its answer after reloading its configuration', async () => {
  const names = ['by itself', 'in a batch', 'with another'];
  const [alone, ...together] = names as [string, ...string[]];
  const answers = [gateway.request(subject, alone, NO_TIMEOUT)];
  await until(() => taken.length === 1);
  answers.push(...together.map((name) => gateway.request(subject, name, NO_TIMEOUT)));
  await until(() => taken.length === 3);
  await deployment.apply(deployment.deployment, ['reload-bus']);
  release.resolve();
  const said = (await Promise.all(answers)).map(({ body }) => text(body));
  expect(said).toEqual(names.map((name) => `answer to ${name}`));
  expect(taken).toEqual(names);
});
