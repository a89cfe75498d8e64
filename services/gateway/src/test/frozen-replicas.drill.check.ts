import { listCollections } from '@action-platform/contracts';
import type { TestProcess } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { GatewayHarness, type TestWorkspace } from './harness.ts';

const harness = new GatewayHarness();
/** Two replicas of each service. */
let replicas: TestProcess[][];
let workspace: TestWorkspace;

beforeAll(async () => {
  const two = (service: 'grants' | 'record-store') =>
    Promise.all([1, 2].map(() => harness.platform.spawn(service)));
  [replicas] = await Promise.all([Promise.all([two('grants'), two('record-store')]), harness.start()]);
  workspace = await harness.newWorkspace();
});
afterAll(() => harness.stop());

const get = (path: string) => harness.http.get(path).auth(workspace.owner.token, { type: 'bearer' });

test('while one replica of each service is frozen, the other answers reads', async () => {
  for (const [first] of replicas) first!.signal('SIGSTOP');
  const reads = {
    discovery: () => get('/api/v1/operations'),
    'the list of grants': () => get('/api/v1/routine-grants'),
    'an operation': () => harness.execute(workspace.owner.token, listCollections, {}),
  };
  // Enough calls to reach every replica at random, all at once, because each waits before the gateway tries another replica.
  const answered = Object.entries(reads).map(async ([what, read]) => {
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await read()));
    return [what, answers.map(({ status }) => status)] as const;
  });
  const ok = Array(10).fill(200);
  expect(Object.fromEntries(await Promise.all(answered))).toEqual({
    discovery: ok,
    'the list of grants': ok,
    'an operation': ok,
  });
});
