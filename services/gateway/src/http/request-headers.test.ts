import { expect, test } from '@jest/globals';
import { idempotencyKeyOf, invocationIdOf } from './request-headers.ts';

/** A header of these bytes, as Node.js reads it. */
const read = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(text, encoding).toString('latin1');

test.each([
  ['idempotency-key', idempotencyKeyOf],
  ['x-routine-invocation-id', invocationIdOf],
] as const)('the header %s is read as UTF-8, or as Latin-1 where it is none', (name, textIn) => {
  for (const text of ['run-7', 'läuf', '夜'.repeat(200)])
    expect(textIn({ headers: { [name]: read(text, 'utf8') } })).toBe(text);
  for (const text of ['läuf', 'löuf'])
    expect(textIn({ headers: { [name]: read(text, 'latin1') } })).toBe(text);
  expect(textIn({ headers: {} })).toBeUndefined();
});
