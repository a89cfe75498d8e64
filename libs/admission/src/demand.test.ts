import { expect, test } from '@jest/globals';
import { Demand } from './demand.ts';

/** Lets seconds pass in each of which so many come; what those who are refused in the last one are told. */
function told(seconds: number, accepted: number, refused: number, demand = new Demand(), from = 0): number {
  let wait = 0;
  for (let second = 0; second < seconds; second++) {
    for (let i = 0; i < accepted; i++) demand.accepted();
    for (let i = 0; i < refused; i++) wait = demand.refused((from + second + i / refused) * 1000);
  }
  return wait;
}

test('who is refused first comes again after a second', () => {
  expect(told(1, 100, 1)).toBe(1);
});

test.each([
  [100, 1, 2],
  [100, 200, 3],
  [100, 900, 10],
  [0, 1_000, 30],
])('with %p let in and %p refused a second the wait is %p s', (accepted, refused, wait) => {
  expect(told(5, accepted, refused)).toBe(wait);
});

test('after a quiet time it begins anew', () => {
  const demand = new Demand();
  told(5, 100, 900, demand);
  expect(told(1, 100, 1, demand, 60)).toBe(1);
});
