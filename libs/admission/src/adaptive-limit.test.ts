import { describe, expect, test } from '@jest/globals';
import { AdaptiveLimit } from './adaptive-limit.ts';

type Passed = [seconds: number, durationMs: number | undefined, isWanted: boolean, kind?: string];

/** A limit with a clock of its own. */
class Watched {
  readonly limit = new AdaptiveLimit({ most: 512, least: 16 });
  #now = 1;

  /** Advances the clock by seconds of calls with this duration; calls are refused in them, or not. */
  pass(...[seconds, durationMs, isWanted, kind = 'read']: Passed): this {
    for (let i = 0; i < seconds * 20; i++) {
      this.#now += 50;
      if (durationMs !== undefined) this.limit.took(kind, durationMs, this.#now);
      if (isWanted) this.limit.wanted(this.#now);
    }
    return this;
  }
}

describe('the limit', () => {
  const usual: Passed = [10, 5, false];
  const overload: Passed = [30, 500, true];

  test.each<[string, Passed[], least: number, most: number]>([
    ['is the maximum while no call is refused, whatever the latency', [usual, [10, 500, false]], 512, 512],
    ['is the maximum while calls are refused and latency is as usual', [usual, [10, 8, true]], 512, 512],
    ['falls to its minimum while calls are refused and latency is high', [usual, overload], 16, 16],
    ['falls when no call completes', [usual, [30, undefined, true]], 16, 16],
    ['rises again while latency is normal and calls are refused', [usual, overload, [5, 8, true]], 33, 512],
    ['returns to the maximum within five seconds', [usual, overload, [5, 5, false]], 512, 512],
    [
      'stays for calls that are always slow',
      [usual, [10, 900, false, 'slow'], [10, 900, true, 'slow']],
      512,
      512,
    ],
  ])('%s', (_name, all, least, most) => {
    const watched = new Watched();
    for (const passed of all) watched.pass(...passed);
    expect(watched.limit.current).toBeGreaterThanOrEqual(least);
    expect(watched.limit.current).toBeLessThanOrEqual(most);
  });

  test('returns to the maximum after an idle time', () => {
    const { limit } = new Watched().pass(...usual).pass(...overload);
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
});
