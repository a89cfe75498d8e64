import { getRecord } from '@action-platform/contracts';
import { anOwner, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commonConfig } from '../process/config.ts';
import type { ServiceDefinition } from '../process/service.ts';
import { serveOperation } from './serve.ts';

const platform = new TestPlatform();
const greedy = anOwner({ workspaceId: 'ws_greedy' });
const quiet = anOwner({ workspaceId: 'ws_quiet' });

/** Whose calls were begun, in order, and how each is brought to its end. */
let begun: { workspace: string; end: () => void }[];
let arrivals = 0;

const service: ServiceDefinition = {
  name: 'record-store',
  config: commonConfig,
  start: async () => ({
    calls: [
      serveOperation(getRecord, async (_input, { principal }) => {
        const work = Promise.withResolvers<void>();
        begun.push({ workspace: principal.workspaceId, end: work.resolve });
        await work.promise;
        return {} as never;
      }),
    ],
  }),
};

beforeAll(() =>
  platform.start(service, {
    SERVICE_MAX_AT_WORK: '1',
    SERVICE_MAX_IN_FLIGHT: '64',
    SERVICE_MAX_WAIT_MS: '60000',
  }),
);
afterAll(() => platform.stop());
beforeEach(() => {
  begun = [];
});

/** Brings calls, and waits until the service has them. */
async function bring(principal: typeof quiet, times: number, timeoutMs = 10_000) {
  const input = { collection_id: 'col_1', record_id: 'rec_1' };
  const answers = Array.from({ length: times }, () => platform.call(getRecord, principal, input, timeoutMs));
  arrivals += times;
  // The bus keeps the order: when this one is refused, what came before has arrived.
  await platform.call(getRecord, anOwner({ workspaceId: `ws_last_${arrivals}` }), input, 1_000);
  return answers;
}

/** Ends the call that is worked on, and waits for the next to be begun. */
async function endOne(): Promise<void> {
  const { length } = begun;
  begun.at(-1)!.end();
  while (begun.length === length) await new Promise(setImmediate);
}

describe('waiting calls run in turns', () => {
  test('so that a Workspace with few calls does not wait for one with many', async () => {
    const many = await bring(greedy, 30);
    const [one] = await bring(quiet, 1);
    await endOne();
    await endOne();
    expect(begun.slice(0, 3).map(({ workspace }) => workspace)).toContain('ws_quiet');
    for (let i = begun.length; i < 31; i++) await endOne();
    begun.at(-1)!.end();
    for (const answer of await Promise.all([...many, one!])) expect(answer.status).toBe(200);
  });

  test('and a call whose caller has left does not begin', async () => {
    const [first] = await bring(greedy, 1);
    const [late] = await bring(quiet, 1, 1_000);
    expect((await late!).error.code).toBe('action_platform_unavailable');
    begun.at(-1)!.end();
    await first;
    expect(begun.map(({ workspace }) => workspace)).toEqual(['ws_greedy']);
  });
});
