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
    expect(allowance.take(11, 1_000)).toBe(false);
    expect(allowance.take(10, 1_000)).toBe(true);
  });
});
