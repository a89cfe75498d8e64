import { expect, test } from '@jest/globals';
import { BoundedCache } from './bounded-cache.ts';

test('a bounded cache holds as many values as it may, and lets the oldest go for another', () => {
  const cache = new BoundedCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('b', 3);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 3]);
  cache.set('c', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 3, 4]);
});
