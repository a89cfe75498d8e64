import { expect, test } from '@jest/globals';
import { OwnServer } from '../test-support/own-server.ts';
import { ok, subject, text, until } from '../test-support/test-connections.ts';

/** Longer than a test: a request never ends by its timeout. */
const NO_TIMEOUT = { timeoutMs: 600_000 };
const server = new OwnServer();

test('a write runs once and is answered, though the NATS server refuses its answer after reloading its configuration', async () => {
  const [gateway, replica] = [await server.connect('gateway'), await server.connect('record-store')];
  const taken: string[] = [];
  const release = Promise.withResolvers<void>();
  replica.serve(subject, 'record-store', async ({ body }) => {
    taken.push(text(body));
    await release.promise;
    return ok(`answer to ${text(body)}`);
  });
  await replica.flush();
  await gateway.flush();
  const names = ['by itself', 'in a batch', 'with another'];
  const [alone, ...together] = names as [string, ...string[]];
  const answers = [gateway.request(subject, alone, NO_TIMEOUT)];
  await until(() => taken.length === 1);
  answers.push(...together.map((name) => gateway.request(subject, name, NO_TIMEOUT)));
  await until(() => taken.length === 3);
  await server.reload();
  release.resolve();
  const said = (await Promise.all(answers)).map(({ body }) => text(body));
  expect(said).toEqual(names.map((name) => `answer to ${name}`));
  expect(taken).toEqual(names);
});
