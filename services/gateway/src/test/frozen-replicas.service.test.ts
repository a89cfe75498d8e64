import { listCollections } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectError, GatewayHarness, type TestWorkspace } from './harness.ts';

const harness = new GatewayHarness();
const replicas: Record<'grants' | 'record-store', TestProcess[]> = { grants: [], 'record-store': [] };
let workspace: TestWorkspace;

beforeAll(async () => {
  const two = (service: 'grants' | 'record-store') =>
    Promise.all([1, 2].map(() => harness.platform.spawn(service)));
  [replicas.grants, replicas['record-store']] = await Promise.all([
    two('grants'),
    two('record-store'),
    harness.start(),
  ]);
  workspace = await harness.newWorkspace();
});
afterAll(() => harness.stop());

/** Enough calls to reach every replica at random. */
const several = <Answer>(call: () => PromiseLike<Answer>) =>
  Promise.all(Array.from({ length: 10 }, async () => await call()));

const get = (path: string) => harness.http.get(path).auth(workspace.owner.token, { type: 'bearer' });

const discover = () => get('/api/v1/operations');
const listed = () => harness.execute(workspace.owner.token, listCollections, {});
const reads = [
  ['discovery', discover],
  ['the list of grants', () => get('/api/v1/routine-grants')],
  ['an operation', listed],
] as const;

describe('while one replica of each service is frozen, the other answers a read:', () => {
  let statuses: Record<string, number[]>;
  // All at once, because each waits for the time after which the caller tries another replica.
  beforeAll(async () => {
    for (const [first] of Object.values(replicas)) first!.signal('SIGSTOP');
    const answered = reads.map(async ([what, read]) => {
      const answers = await several(read);
      return [what, answers.map(({ status }) => status)] as const;
    });
    statuses = Object.fromEntries(await Promise.all(answered));
  });

  test.each(reads)('%s', (what, _read) => {
    expect(statuses[what]).toEqual(Array(10).fill(200));
  });
});

describe('while all replicas are frozen, a read gets the error that nothing was done:', () => {
  beforeAll(async () => {
    await harness.startAnother({ REQUEST_DEADLINE_MS: '300' });
    for (const replica of Object.values(replicas).flat()) replica.signal('SIGSTOP');
  });

  test.each(reads)('%s', async (_what, read) => {
    expectError(await read(), 'action_platform_unavailable');
  });

  test('an operation, also when only the replicas of its own service are frozen', async () => {
    for (const replica of replicas.grants) replica.signal('SIGCONT');
    while ((await discover()).status !== 200);
    expectError(await listed(), 'action_platform_unavailable');
  });
});
