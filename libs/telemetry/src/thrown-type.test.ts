import { expect, test } from '@jest/globals';
import { thrownType } from './thrown-type.ts';

const coded = (code: unknown) => Object.assign(new TypeError('of alice@example.com'), { code });

test.each([
  [coded('ENOTDIR'), 'ENOTDIR'],
  [coded(11_000), 'TypeError'],
  [coded('no mailbox of alice@example.com'), 'TypeError'],
  [new TypeError(), 'TypeError'],
  ['of alice@example.com', '_OTHER'],
])('the type of %p is %s', (thrown, type) => {
  expect(thrownType(thrown)).toBe(type);
});
