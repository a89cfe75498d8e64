/** By how much the machine's clock is off, in milliseconds, when it was set and not only corrected. */
const CLOCK_SET_MS = 100;

/**
 * When the monotonic clock was 0, in milliseconds since the epoch. As it was when the process began: `Date.now()` has no parts of a
 * millisecond, and with it each span would be off by another one. When the machine's clock was set meanwhile, as that says: smaller
 * corrections are made by letting both clocks run faster or slower.
 */
export function monotonicEpoch(): number {
  const now = Date.now() - performance.now();
  return Math.abs(now - performance.timeOrigin) < CLOCK_SET_MS ? performance.timeOrigin : now;
}
