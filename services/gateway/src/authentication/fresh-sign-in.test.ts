import { expect, test } from '@jest/globals';
import { isFresh } from './fresh-sign-in.ts';

const now = 1_800_000_000_900;
const signedIn = (secondsAgo: number) => isFresh({ authTime: 1_800_000_000 - secondsAgo }, now);

test('a sign-in is fresh for 300 seconds, and when the clock of its issuer is at most 30 seconds ahead', () => {
  expect([300, 0, -30].map(signedIn)).toEqual([true, true, true]);
  expect([301, -31, Number.POSITIVE_INFINITY, Number.NaN].map(signedIn)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a session without the time of its sign-in is not fresh', () => {
  expect(isFresh({}, now)).toBe(false);
});
