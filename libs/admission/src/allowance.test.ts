import { describe, expect, test } from '@jest/globals';
import { Allowance } from './allowance.ts';

describe('an allowance', () => {
  test('is what a second brings, at once or spread over it', () => {
    const allowance = new Allowance(10);
    for (let i = 0; i < 10; i++) expect(allowance.take(1, 1_000)).toBe(true);
    expect(allowance.take(1, 1_000)).toBe(false);
    expect(allowance.take(5, 1_499)).toBe(false);
    expect(allowance.take(5, 1_500)).toBe(true);
  });

  test('is not saved up for longer than a second', () => {
    const allowance = new Allowance(10);
    expect(allowance.take(10, 1_000_000)).toBe(true);
    expect(allowance.take(1, 1_000_000)).toBe(false);
  });

  test('is spent by what may be done alone', () => {
    const allowance = new Allowance(10);
    expect(allowance.take(6, 1_000)).toBe(true);
    expect(allowance.take(5, 1_000)).toBe(false);
    expect(allowance.take(4, 1_000)).toBe(true);
  });

  test('is spent for seconds to come by what costs more than it holds', () => {
    const allowance = new Allowance(10);
    expect(allowance.take(25, 1_000)).toBe(true);
    expect(allowance.take(1, 2_500)).toBe(false);
    expect(allowance.take(1, 2_600)).toBe(true);
  });

  test.each([
    [0, 0],
    [0.5, 5],
  ])('of %p a second is good for %i in ten seconds', (perSecond, times) => {
    const allowance = new Allowance(perSecond);
    const seconds = Array.from({ length: 10 }, (_, second) => 1_000 + second * 1_000);
    expect(seconds.filter((now) => allowance.take(1, now))).toHaveLength(times);
  });
});
