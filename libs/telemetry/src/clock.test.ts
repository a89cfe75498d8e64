import { afterEach, expect, jest, test } from '@jest/globals';
import { monotonicEpoch } from './clock.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Has the clock of the machine be off by so much. */
function setClock(milliseconds: number): void {
  const now = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds);
}

test.each([0, 20, -20])('is where the process began while the clock is off by %d ms', (milliseconds) => {
  setClock(milliseconds);
  expect(monotonicEpoch()).toBe(performance.timeOrigin);
});

test.each([3_600_000, -3_600_000])('follows a clock that was set by %d ms', (milliseconds) => {
  setClock(milliseconds);
  const off = monotonicEpoch() - performance.timeOrigin - milliseconds;
  expect(Math.abs(off)).toBeLessThan(20);
});
