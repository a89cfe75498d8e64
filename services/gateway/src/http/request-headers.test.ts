import { expect, test } from '@jest/globals';
import { headerProblemOf, idempotencyKeyOf, invocationIdOf } from './request-headers.ts';

/** A header of these bytes, as Node.js reads it. */
const read = (text: string, encoding: 'utf8' | 'latin1') => Buffer.from(text, encoding).toString('latin1');

/** A request with a header of these values. */
const requestWith = (name: string, ...values: string[]) => ({
  headers: values.length === 0 ? {} : { [name]: values.join(', ') },
  headersDistinct: { [name]: values },
});

test.each([
  ['idempotency-key', idempotencyKeyOf],
  ['x-routine-invocation-id', invocationIdOf],
] as const)('the header %s is read as UTF-8, or as Latin-1 where it is none', (name, textIn) => {
  for (const text of ['run-7', 'läuf', '夜'.repeat(200)])
    expect(textIn(requestWith(name, read(text, 'utf8')))).toBe(text);
  for (const text of ['läuf', 'löuf']) expect(textIn(requestWith(name, read(text, 'latin1')))).toBe(text);
  expect(textIn(requestWith(name))).toBeUndefined();
});

test('a header that is there twice with the same value counts once', () => {
  const key = (...values: string[]) => idempotencyKeyOf(requestWith('idempotency-key', ...values));
  expect([key('a', 'a'), key('a, a')]).toEqual(['a', 'a, a']);
  const problem = (...values: string[]) => headerProblemOf(requestWith('idempotency-key', ...values));
  expect([problem(), problem('a', 'a'), problem('a, b')]).toEqual([undefined, undefined, undefined]);
  expect(problem('a', 'b')?.message).toMatch(/^idempotency-key: .* different values/);
});
