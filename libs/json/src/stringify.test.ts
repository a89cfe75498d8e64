import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExactJson } from './exact-json.ts';
import { stringifyJson } from './stringify.ts';
import { jsonValues } from './test-support/json-texts.ts';

const exact = new ExactJson('{ "n": 1.0 }');

describe('stringifyJson', () => {
  // Beside an ExactJson a value is not left to JSON.stringify; the result must be the same.
  test.each([
    ['undefined members are left out', { a: undefined, b: 1, c: undefined }],
    ['functions and symbols are left out', { a: () => 1, b: Symbol('s'), c: [() => 1] }],
    ['undefined items are null', [undefined, 1, undefined]],
    ['holes are null', new Array(2).fill(1, 1)],
    ['what is not finite is null', [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ['dates are written by toJSON', { at: new Date(0), list: [new Date(1)] }],
    ['toJSON may return undefined', { at: { toJSON: () => undefined } }],
    ['empty containers', { a: {}, b: [], c: '' }],
    ['names and strings are escaped', { 'a"\\\n\ud800': '"\\\n\u2028\ud800' }],
    ['__proto__ is a name', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s', (_, value) => {
    const expected = JSON.stringify(value);
    expect(stringifyJson(value)).toBe(expected);
    expect(stringifyJson([value, exact])).toBe(`[${expected},${exact.text}]`);
  });

  test('what toJSON returns may hold an ExactJson', () => {
    expect(stringifyJson({ a: { toJSON: () => [exact] } })).toBe(`{"a":[${exact.text}]}`);
  });

  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a bigint inside', [exact, 1n]],
    ['an async iterable', { a: (async function* () {})() }],
  ])('refuses %s', (_, value) => {
    expect(() => stringifyJson(value)).toThrow(TypeError);
  });

  test('refuses a value that contains itself', () => {
    const value: { self?: unknown } = {};
    value.self = value;
    expect(() => stringifyJson(value)).toThrow(RangeError);
  });

  test('writes any plain value as JSON.stringify does, beside an ExactJson too', () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value));
        expect(stringifyJson({ exact, value })).toBe(
          `{"exact":${exact.text},"value":${JSON.stringify(value)}}`,
        );
      }),
    );
  });
});
