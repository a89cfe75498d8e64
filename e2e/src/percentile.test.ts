import { expect, test } from '@jest/globals';
import { percentile } from './percentile.ts';

test('a percentile is one of the numbers, and there is none of no numbers', () => {
  const numbers = Array.from({ length: 100 }, (_, number) => 100 - number);
  expect([0, 50, 99, 100].map((percent) => percentile(percent, numbers))).toEqual([1, 51, 100, 100]);
  expect(percentile(50, [1, Number.POSITIVE_INFINITY, 2])).toBe(2);
  expect(() => percentile(50, [])).toThrow('no sample');
});
