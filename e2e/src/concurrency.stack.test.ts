import type { Demo } from '@action-platform/local';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SharedStack } from './shared-stack.ts';
import { execute } from './stack-process.ts';

jest.setTimeout(120_000);

const ROUNDS = 200;

let stack: SharedStack;
let demo: Demo;
let collectionId: string;

beforeAll(async () => {
  stack = await SharedStack.join();
  demo = await stack.workspace();
  const created = await call('create_collection', { name: 'races' });
  collectionId = (created.body.result as unknown as { collection: { id: string } }).collection.id;
});
afterAll(() => stack.leave());

const call = (operation: string, input: object, gateway = 0) =>
  execute(demo.gateways[gateway]!, demo.owner.token, `record_store.${operation}`, input);

const recordOf = ({ body }: Awaited<ReturnType<typeof call>>) =>
  (body.result as unknown as { record: { id: string; version: number } }).record;

test(`of two concurrent replaces with one expected_version one wins, in each of ${ROUNDS} rounds`, async () => {
  const record_id = recordOf(await call('push_record', { collection_id: collectionId, payload: {} })).id;
  for (let round = 1; round <= ROUNDS; round++) {
    const replace = (gateway: number) =>
      call(
        'replace_record',
        { collection_id: collectionId, record_id, payload: { round, gateway }, expected_version: round },
        gateway,
      );
    const rivals = await Promise.all([replace(0), replace(1)]);
    const [winner, loser] = rivals.toSorted((a, b) => a.status - b.status);
    expect(recordOf(winner!).version).toBe(round + 1);
    expect(loser!.body.error).toMatchObject({
      code: 'record_store_stale_version',
      message: expect.stringContaining(String(round + 1)),
    });
  }
});

test('50 concurrent pushes with one key make one Record and get 50 equal answers', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      call(
        'push_record',
        { collection_id: collectionId, payload: { one: 1 }, idempotency_key: 'same' },
        index % 2,
      ),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
});
