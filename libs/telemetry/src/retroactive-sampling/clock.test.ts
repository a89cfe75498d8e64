import { afterEach, expect, jest, test } from '@jest/globals';
import { monotonicEpoch } from './clock.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Sets the clock of the machine by an offset to the clock of the process: somebody may set the real one during a test. */
function setClock(milliseconds: number): void {
  const now = () => performance.timeOrigin + performance.now();
  jest.spyOn(Date, 'now').mockImplementation(() => Math.round(now() + milliseconds));
}

test.each([0, 20, -20])(
  'uses the time origin of the process while the clock is off by %d ms',
  (milliseconds) => {
    setClock(milliseconds);
    expect(monotonicEpoch()).toBe(performance.timeOrigin);
  },
);

test.each([3_600_000, -3_600_000])(
  'uses the clock of the machine after it was set by %d ms',
  (milliseconds) => {
    setClock(milliseconds);
    const off = monotonicEpoch() - performance.timeOrigin - milliseconds;
    expect(Math.abs(off)).toBeLessThan(20);
  },
);
