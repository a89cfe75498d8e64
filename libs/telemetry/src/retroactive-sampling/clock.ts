/** A larger difference between the clocks, in milliseconds, means that the machine's clock was set. */
export const CLOCK_SET_MS = 100;

/**
 * When the monotonic clock was 0, in milliseconds since the epoch. `performance.timeOrigin` is exact, while `Date.now()` has no parts of a
 * millisecond and would move each span by another one. `Date.now()` is used only after the machine's clock was set.
 */
export function monotonicEpoch(): number {
  const now = Date.now() - performance.now();
  return Math.abs(now - performance.timeOrigin) < CLOCK_SET_MS ? performance.timeOrigin : now;
}
