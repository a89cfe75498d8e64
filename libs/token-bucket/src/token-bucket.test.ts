import { describe, expect, test } from '@jest/globals';
import { TokenBucket } from './token-bucket.ts';

describe('an bucket', () => {
  test('is what a second brings, at once or spread over it', () => {
    const bucket = new TokenBucket(10);
    for (let i = 0; i < 10; i++) expect(bucket.take(1, 1_000)).toBe(true);
    expect(bucket.take(1, 1_000)).toBe(false);
    expect(bucket.take(5, 1_499)).toBe(false);
    expect(bucket.take(5, 1_500)).toBe(true);
  });

  test('is not saved up for longer than a second', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(10, 1_000_000)).toBe(true);
    expect(bucket.take(1, 1_000_000)).toBe(false);
  });

  test('is spent by what may be done alone', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(6, 1_000)).toBe(true);
    expect(bucket.take(5, 1_000)).toBe(false);
    expect(bucket.take(4, 1_000)).toBe(true);
  });

  test('is spent for seconds to come by what costs more than it holds', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(25, 1_000)).toBe(true);
    expect(bucket.take(1, 2_500)).toBe(false);
    expect(bucket.take(1, 2_600)).toBe(true);
  });

  test.each([
    [0, 0],
    [0.5, 5],
  ])('of %p a second is good for %i in ten seconds', (perSecond, times) => {
    const bucket = new TokenBucket(perSecond);
    const seconds = Array.from({ length: 10 }, (_, second) => 1_000 + second * 1_000);
    expect(seconds.filter((now) => bucket.take(1, now))).toHaveLength(times);
  });
});
