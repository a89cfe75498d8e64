import { pushRecord } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import { serveOperation } from './serve.ts';

const greedy = anOwner({ workspaceId: 'ws_greedy' });
const quiet = anOwner({ workspaceId: 'ws_quiet' });

/** Whose calls were begun, in order. */
const begun: string[] = [];

const service = serviceOf('record-store', [
  serveOperation(pushRecord, async (_input, { principal }) => {
    begun.push(principal.workspaceId);
    return {} as never;
  }),
]);

const platform = serving(service, { SERVICE_MAX_IN_FLIGHT: '400', SERVICE_MAX_AT_WORK: '200' });

test('a large body does not wait for all large bodies of another Workspace', async () => {
  const payload = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n]));
  const push = (principal: typeof quiet) =>
    platform.call(pushRecord, principal, { collection_id: 'col_1', payload });
  const flood = Array.from({ length: 40 }, () => push(greedy));
  expect((await push(quiet)).status).toBe(200);
  await Promise.all(flood);
  expect(begun.at(-1)).toBe('ws_greedy');
});
