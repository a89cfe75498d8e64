import { expect, test } from '@jest/globals';
import type { LoadResult } from '../load/load.ts';
import { attacked } from './hostile-sockets.ts';
import { servedRequirements } from './mixed.ts';
import { overloadRequirements } from './overload.ts';

const ms = { p50: 0, p99: 0, max: 0 };
const load = (result: Partial<LoadResult>): LoadResult => ({
  ...{ seconds: 10, attempts: 1_000, calls: 1_000, refused: 0, others: {}, firstFailure: undefined },
  ...{ ms, lateMs: ms, cpuSeconds: 1, ...result },
});
const missed = (requirements: readonly { isMet: boolean; what: string }[]) =>
  requirements.filter(({ isMet }) => !isMet).map(({ what }) => what);

test('a platform that refuses every call of a greedy Workspace misses the overload', () => {
  expect(missed(overloadRequirements(load({ calls: 600 }), 100, {}))).toEqual([]);
  expect(missed(overloadRequirements(load({ calls: 0, refused: 1_000 }), 100, {}))).toEqual([
    'accepted calls, beside the capacity',
  ]);
});

test('failing calls and streams miss the mixed load', () => {
  const served = load({ calls: 960, others: { 400: 40 } });
  expect(missed(servedRequirements(served, { opened: 60, failed: 0 }))).toEqual([]);
  expect(
    missed(servedRequirements(load({ calls: 500, others: { 500: 500 } }), { opened: 0, failed: 9 })),
  ).toEqual([
    'calls that are served',
    'answers other than 200, 400, and 503 with Retry-After',
    'streams of events that opened',
    'streams of events that failed',
  ]);
});

test('an attack that opened no socket of a kind shows nothing', () => {
  const of = (opened: number) => ({
    slow: { open: 0, opened: 2_000, refused: 0 },
    none: { open: 0, opened, refused: 0 },
  });
  expect(missed([attacked('forged', of(2_000), 2_000)])).toEqual([]);
  expect(missed([attacked('forged', of(0), 2_000)])).toEqual(['forged: opened sockets of each kind']);
});
