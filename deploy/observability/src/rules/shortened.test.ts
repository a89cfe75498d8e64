import { expect, test } from '@jest/globals';
import { shortened, shortenedTime } from './shortened.ts';

test.each([
  ['6h', '180s'],
  ['3d', '2160s'],
  ['2m', '10s'],
  ['0s', '0s'],
  ['5s', '5s'],
])('%s is %s when it is 120 times shorter', (time, expected) => {
  expect(shortenedTime(time, 120)).toBe(expected);
});

test('a query is what it was, but for its times', () => {
  expect(
    shortened('sum(increase(a_total{b="1h"}[1h])) * 3600 > (sum(c:ratio_rate6h offset 2h) or vector(0))', 60),
  ).toBe('sum(increase(a_total{b="1h"}[60s])) * 3600 > (sum(c:ratio_rate6h offset 120s) or vector(0))');
});

test('a time of several units is refused', () => {
  expect(() => shortenedTime('1h30m', 60)).toThrow('not a time of one unit: 1h30m');
});
