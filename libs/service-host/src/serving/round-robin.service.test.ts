import { getRecord } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import { serveOperation } from './serve.ts';

const greedy = anOwner({ workspaceId: 'ws_greedy' });
const quiet = anOwner({ workspaceId: 'ws_quiet' });

/** Whose calls were begun, in order, and how each is brought to its end. */
const begun: { workspace: string; end: () => void }[] = [];

const service = serviceOf('record-store', [
  serveOperation(getRecord, async (_input, { principal }) => {
    const work = Promise.withResolvers<void>();
    begun.push({ workspace: principal.workspaceId, end: work.resolve });
    await work.promise;
    return {} as never;
  }),
]);

const platform = serving(service, {
  SERVICE_MAX_AT_WORK: '1',
  SERVICE_MAX_IN_FLIGHT: '64',
  SERVICE_MAX_WAIT_MS: '60000',
});

/** Ends the call that is worked on, and waits for the next to be begun. */
async function endOne(): Promise<void> {
  const { length } = begun;
  begun.at(-1)!.end();
  while (begun.length === length) await new Promise(setImmediate);
}

test('waiting calls run round robin: a Workspace with few calls does not wait for one with many', async () => {
  const input = { collection_id: 'col_1', record_id: 'rec_1' };
  const call = (principal: typeof quiet, timeoutMs = 10_000) =>
    platform.call(getRecord, principal, input, { timeoutMs });
  const calls = [...Array(30).fill(greedy), quiet].map((principal) => call(principal));
  // The bus keeps the order: when this one is refused, the others have arrived.
  await call(anOwner({ workspaceId: 'ws_last' }), 1_000);
  await endOne();
  await endOne();
  expect(begun.map(({ workspace }) => workspace)).toContain('ws_quiet');
  while (begun.length < calls.length) await endOne();
  begun.at(-1)!.end();
  for (const answer of await Promise.all(calls)) expect(answer.status).toBe(200);
});
