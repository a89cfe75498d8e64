import { describe, expect, test } from '@jest/globals';
import { TokenBucket } from './token-bucket.ts';

describe('a token bucket', () => {
  test('gives the tokens of a second at once or spread over it', () => {
    const bucket = new TokenBucket(10);
    for (let i = 0; i < 10; i++) expect(bucket.take(1, 1_000)).toBe(true);
    expect(bucket.take(1, 1_000)).toBe(false);
    expect(bucket.take(5, 1_499)).toBe(false);
    expect(bucket.take(5, 1_500)).toBe(true);
  });

  test('holds no more than the tokens of a second', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(10, 1_000_000)).toBe(true);
    expect(bucket.take(1, 1_000_000)).toBe(false);
  });

  test('loses no token to a cost that it refuses', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(6, 1_000)).toBe(true);
    expect(bucket.take(5, 1_000)).toBe(false);
    expect(bucket.take(4, 1_000)).toBe(true);
  });

  test('pays a cost above its capacity with later tokens', () => {
    const bucket = new TokenBucket(10);
    expect(bucket.take(25, 1_000)).toBe(true);
    expect(bucket.take(1, 2_500)).toBe(false);
    expect(bucket.take(1, 2_600)).toBe(true);
  });

  test.each([
    [0, 0],
    [0.5, 5],
  ])('of %p a second gives %i in ten seconds', (perSecond, times) => {
    const bucket = new TokenBucket(perSecond);
    const seconds = Array.from({ length: 10 }, (_, second) => 1_000 + second * 1_000);
    expect(seconds.filter((now) => bucket.take(1, now))).toHaveLength(times);
  });
});
