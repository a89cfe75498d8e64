import { expect, test } from '@jest/globals';
import { Load } from './load.ts';

/** Advances the clock by seconds with this number of calls each; returns the Retry-After of those refused in the last one. */
function retryAfter(seconds: number, accepted: number, refused: number, load = new Load(), from = 0): number {
  let wait = 0;
  for (let second = 0; second < seconds; second++) {
    for (let i = 0; i < accepted; i++) load.accepted();
    for (let i = 0; i < refused; i++) wait = load.refused((from + second + i / refused) * 1000);
  }
  return wait;
}

test('the first refused call retries after a second', () => {
  expect(retryAfter(1, 100, 1)).toBe(1);
});

test.each([
  [100, 1, 2],
  [100, 200, 3],
  [100, 900, 10],
  [0, 1_000, 30],
])('with %p admitted and %p refused a second the wait is %p s', (accepted, refused, wait) => {
  expect(retryAfter(5, accepted, refused)).toBe(wait);
});

test('the counts begin anew after an idle time', () => {
  const load = new Load();
  retryAfter(5, 100, 900, load);
  expect(retryAfter(1, 100, 1, load, 60)).toBe(1);
});
