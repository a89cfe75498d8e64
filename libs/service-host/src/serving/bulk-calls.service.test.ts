import { getRecord, pushRecords } from '@action-platform/contracts/operations';
import { anOwner } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { serviceOf, serving } from '../test-support/serving.ts';
import { serveOperation } from './serve.ts';

const importing = anOwner({ workspaceId: 'ws_importing' });
const reading = anOwner({ workspaceId: 'ws_reading' });
const CALLS = 12;
const ITEMS = 100;

/** Ends each turn that has begun, in order. */
const turns: (() => void)[] = [];

const service = serviceOf('record-store', [
  serveOperation(getRecord, async () => ({}) as never),
  serveOperation(pushRecords, async ({ items }, context) => {
    const outcomes = await context.turns.run(context, items, async (group) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      turns.push(resolve);
      await promise;
      return group.map(() => ({ record: { id: 'rec_1', version: 1 }, replayed: false }));
    });
    return { outcomes };
  }),
]);

const platform = serving(service, { SERVICE_MAX_AT_WORK: '1' });

const input = { collection_id: 'col_1', items: Array.from({ length: ITEMS }, () => ({ payload: {} })) };
const push = (timeoutMs = 60_000) => platform.call(pushRecords, importing, input, { timeoutMs });
const get = () => platform.call(getRecord, reading, { collection_id: 'col_1', record_id: 'rec_1' });

test('bulk calls take one turn at a time beside other calls, which wait for none of them', async () => {
  await get();
  const calls = Array.from({ length: CALLS }, () => push());
  while (turns.length === 0) expect((await get()).status).toBe(200);
  // The bus keeps the order: when this one is refused, the others have arrived.
  const { status, error } = await push(1_000);
  expect([status, error.code]).toEqual([503, 'action_platform_unavailable']);
  for (let read = 0; read < 3; read++) expect((await get()).status).toBe(200);
  expect(turns).toHaveLength(1);
  let answered = 0;
  const all = Promise.all(calls.map((call) => call.finally(() => answered++)));
  for (let ended = 0; answered < CALLS; ) {
    if (ended < turns.length) turns[ended++]!();
    await new Promise(setImmediate);
  }
  for (const answer of await all) {
    expect(answer.status).toBe(200);
    expect(answer.result.outcomes).toHaveLength(ITEMS);
  }
  expect(turns.length).toBeGreaterThan(CALLS);
});
