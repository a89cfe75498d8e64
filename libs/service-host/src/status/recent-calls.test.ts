import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RecentCalls } from './recent-calls.ts';

let recent: RecentCalls;
beforeEach(() => {
  jest.useFakeTimers();
  recent = new RecentCalls();
});
afterEach(() => {
  jest.useRealTimers();
});

test('reports the outcomes of the calls of the last minute', () => {
  for (let n = 1; n <= 100; n++) recent.record(n, n > 95);
  jest.advanceTimersByTime(20_000);
  const { p50_ms, p99_ms, ...counted } = recent.read();
  expect(counted).toEqual({ seconds: 20, answered: 100, failed: 5 });
  // A histogram keeps three digits.
  expect(p50_ms).toBeCloseTo(50, 0);
  expect(p99_ms).toBeCloseTo(99, 0);
});

test('forgets calls after a minute', () => {
  recent.record(500, true);
  jest.advanceTimersByTime(45_000);
  recent.record(5, false);
  expect(recent.read()).toMatchObject({ answered: 2, failed: 1 });
  jest.advanceTimersByTime(20_000);
  expect(recent.read()).toMatchObject({ answered: 1, failed: 0, p99_ms: expect.closeTo(5, 1) });
  jest.advanceTimersByTime(60_000);
  expect(recent.read()).toEqual({ seconds: 1, answered: 0, failed: 0, p50_ms: null, p99_ms: null });
});
