import { describe, expect, test } from '@jest/globals';
import { AdaptiveLimit } from './adaptive-limit.ts';

/** A limit with a clock of its own. */
class Watched {
  readonly limit = new AdaptiveLimit({ most: 512, least: 16 });
  #now = 1;

  /** Lets seconds pass in which things take so long; somebody wants more than the limit, or nobody does. */
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
  test('is the maximum while nobody wants more, however long things take', () => {
    expect(new Watched().pass(10, 5, false).pass(10, 500, false).limit.current).toBe(512);
  });

  test('is the maximum while more is wanted and things take no longer than usual', () => {
    expect(new Watched().pass(10, 5, false).pass(10, 8, true).limit.current).toBe(512);
  });

  test('goes down to its minimum and no further while more is wanted and things take too long', () => {
    expect(new Watched().pass(10, 5, false).pass(30, 500, true).limit.current).toBe(16);
  });

  test('goes down when nothing comes to its end', () => {
    expect(new Watched().pass(10, 5, false).pass(30, undefined, true).limit.current).toBe(16);
  });

  test('rises again while things do not take too long, and more is still wanted', () => {
    const watched = new Watched().pass(10, 5, false).pass(30, 500, true);
    expect(watched.pass(5, 8, true).limit.current).toBeGreaterThan(32);
  });

  test('is back at the maximum five seconds after nobody wants more', () => {
    const watched = new Watched().pass(10, 5, false).pass(30, 500, true);
    expect(watched.pass(5, 5, false).limit.current).toBe(512);
  });

  test('is back when nothing at all happened for a while', () => {
    const { limit } = new Watched().pass(10, 5, false).pass(30, 500, true);
    limit.took('read', 5, 1_000_000);
    expect(limit.current).toBe(512);
  });

  test('is not lowered by bursts of calls that take half a second each', () => {
    const limit = new AdaptiveLimit({ most: 253, least: 16 });
    for (let now = 1_000; now < 20_000; now += 1_000) {
      for (let waited = 0; waited < 500; waited += 50) limit.wanted(now + waited);
      for (let call = 0; call < 253; call++) limit.took('send', 500, now + 500);
    }
    expect(limit.current).toBe(253);
  });

  test('does not mistake what is always slow for trouble', () => {
    const watched = new Watched().pass(10, 5, false, 'fast').pass(10, 900, false, 'slow');
    expect(watched.pass(10, 900, true, 'slow').limit.current).toBe(512);
  });
});
