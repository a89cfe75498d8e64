import type { Database } from '@action-platform/mongo';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LeaseLost, SourceState } from './source-state.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('knowledge');
});
afterAll(() => database.close());

test('a replica records the end of its pass, and nothing after another replica has taken the pass over', async () => {
  const state = await SourceState.open(database.db, 'directory');
  const slow = (await state.take())!;
  const expired = { $set: { 'lease.until': new Date(0) } };
  await database.db.collection<{ _id: string }>('sources').updateOne({ _id: 'directory' }, expired);
  const next = (await state.take())!;
  await expect(slow.confirm()).rejects.toThrow(LeaseLost);
  expect(await slow.end({ kept: 'EIO', left_out: 1 }, 60_000)).toBe(false);
  expect((await state.read()).condition).toEqual({ kept: undefined, left_out: 0 });
  expect(await next.end({ left_out: 2 }, 60_000)).toBe(true);
  expect((await state.read()).condition).toEqual({ kept: undefined, left_out: 2 });
});
