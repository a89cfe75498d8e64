import { describe, expect, test } from '@jest/globals';
import { AdaptiveLimit } from './adaptive-limit.ts';

/** A limit with a clock of its own. */
class Watched {
  readonly limit = new AdaptiveLimit({ most: 512, least: 16 });
  #now = 1;

  /** Advances the clock by seconds of calls with this duration; calls are refused in them, or not. */
  pass(seconds: number, durationMs: number | undefined, isWanted: boolean, kind = 'read'): this {
    for (let i = 0; i < seconds * 20; i++) {
      this.#now += 50;
      if (durationMs !== undefined) this.limit.took(kind, durationMs, this.#now);
      if (isWanted) this.limit.wanted(this.#now);
    }
    return this;
  }
}

describe('the limit', () => {
  test('is the maximum while no call is refused, whatever the latency', () => {
    expect(new Watched().pass(10, 5, false).pass(10, 500, false).limit.current).toBe(512);
  });

  test('is the maximum while calls are refused and latency is as usual', () => {
    expect(new Watched().pass(10, 5, false).pass(10, 8, true).limit.current).toBe(512);
  });

  test('falls to its minimum while calls are refused and latency is high', () => {
    expect(new Watched().pass(10, 5, false).pass(30, 500, true).limit.current).toBe(16);
  });

  test('falls when no call completes', () => {
    expect(new Watched().pass(10, 5, false).pass(30, undefined, true).limit.current).toBe(16);
  });

  test('rises again while latency is normal and calls are refused', () => {
    const watched = new Watched().pass(10, 5, false).pass(30, 500, true);
    expect(watched.pass(5, 8, true).limit.current).toBeGreaterThan(32);
  });

  test('returns to the maximum within five seconds without refusals', () => {
    const watched = new Watched().pass(10, 5, false).pass(30, 500, true);
    expect(watched.pass(5, 5, false).limit.current).toBe(512);
  });

  test('returns to the maximum after an idle time', () => {
    const { limit } = new Watched().pass(10, 5, false).pass(30, 500, true);
    limit.took('read', 5, 1_000_000);
    expect(limit.current).toBe(512);
  });

  test('does not fall for bursts of calls that take half a second each', () => {
    const limit = new AdaptiveLimit({ most: 253, least: 16 });
    for (let now = 1_000; now < 20_000; now += 1_000) {
      for (let waited = 0; waited < 500; waited += 50) limit.wanted(now + waited);
      for (let call = 0; call < 253; call++) limit.took('send', 500, now + 500);
    }
    expect(limit.current).toBe(253);
  });

  test('does not fall for calls that are always slow', () => {
    const watched = new Watched().pass(10, 5, false, 'fast').pass(10, 900, false, 'slow');
    expect(watched.pass(10, 900, true, 'slow').limit.current).toBe(512);
  });
});
