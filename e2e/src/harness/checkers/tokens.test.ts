import { expect, test } from '@jest/globals';
import type { Exchange, SignedIn, UsedToken } from '../history.ts';
import { checkTokens } from './tokens.ts';

const call = (begunAt: number, code = 'ok') => ({ begunAt, endedAt: begunAt + 5, code });
const token = (calls: UsedToken['calls'], endings: UsedToken['endings'] = []) => ({
  ...{ begunAt: 0, lifetimeMs: 600_000, endings, calls },
});
const shows = (
  what: Exchange['what'],
  begunAt: number,
  answer: Exchange['answer'],
  ...tokens: string[]
): Exchange => ({
  what,
  shown: 1,
  begunAt,
  endedAt: begunAt + 10,
  answer,
  ...(tokens.length > 0 && { tokens }),
});
const found = (...grants: Partial<SignedIn>[]) => [
  ...checkTokens({
    signedIn: grants.map((grant) => ({ grant: 'g', endings: [], exchanges: [], tokens: [], ...grant })),
  }),
];
const ENDING = { begunAt: 100, endedAt: 200 };

test('a call that is accepted after an acknowledged end is found, of the grant and of a token alone', () => {
  const calls = [call(50), call(150), call(150, 'grant_revoked'), call(300, 'grant_revoked')];
  expect(found({ endings: [ENDING], tokens: [token(calls)] })).toEqual([]);
  expect(found({ endings: [ENDING], tokens: [token([call(201)])] })).toEqual([
    'g: accepted 1 ms after its end was acknowledged',
  ]);
  const [ended, sibling] = [token([call(300)], [ENDING]), token([call(300)])];
  expect(found({ tokens: [sibling] })).toEqual([]);
  expect(found({ tokens: [ended, sibling] })).toHaveLength(1);
  expect(found({ endings: [{ begunAt: 100 }], tokens: [token([call(300)])] })).toEqual([]);
});

test('a token that is lost is found', () => {
  expect(found({ endings: [ENDING], tokens: [token([call(50, 'grant_revoked')])] })).toEqual([
    'g: grant_revoked before anything ended it',
  ]);
  expect(found({ tokens: [token([call(50, 'token_expired')])] })).toEqual([
    'g: token_expired before its time',
  ]);
  expect(found({ tokens: [token([call(600_000, 'token_expired')])] })).toEqual([]);
  expect(found({ tokens: [token([call(50, 'grant_scope_exceeded')])] })).toHaveLength(1);
});

test('a code that is answered twice, or refused for nothing, is found', () => {
  const [first, second] = [shows('code', 0, 'tokens', 'a'), shows('code', 20, 'tokens', 'b')];
  expect(found({ exchanges: [first, shows('code', 20, 'refused')] })).toEqual([]);
  expect(found({ exchanges: [first, second] })).toEqual(['g: code 1 was answered 2 times']);
  expect(found({ exchanges: [shows('code', 0, 'refused')] })).toEqual([
    'g: code 1 was refused before anything ended it',
  ]);
  expect(found({ exchanges: [shows('code', 0, 'unknown'), shows('code', 20, 'refused')] })).toEqual([]);
  expect(found({ exchanges: [first] }, { exchanges: [first] })).toEqual(['g: a token was answered twice']);
});

test('a refresh token that is answered after its moment or after the end, or refused within it, is found', () => {
  const first = shows('refresh', 0, 'tokens', 'a');
  expect(found({ exchanges: [first, shows('refresh', 29_000, 'tokens', 'b')] })).toEqual([]);
  expect(found({ exchanges: [first, shows('refresh', 30_011, 'tokens', 'b')] })).toEqual([
    'g: refresh 1 was answered 1 times after its moment',
  ]);
  expect(found({ exchanges: [first, shows('refresh', 30_011, 'refused')] })).toEqual([]);
  expect(found({ exchanges: [first, shows('refresh', 20, 'refused')] })).toEqual([
    'g: refresh 1 was refused before anything ended it',
  ]);
  expect(found({ endings: [ENDING], exchanges: [shows('refresh', 201, 'tokens', 'a')] })).toEqual([
    'g: refresh 1 was answered after the end was acknowledged',
  ]);
});
