import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapeJson } from './escape-json.ts';

/** The bytes of a text inside a JSON string, written into a buffer of the least size. */
function escapedBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  const target = Buffer.alloc(3 + 2 * bytes.length);
  return target.subarray(3, escapeJson(bytes, target, 3));
}

test('a JSON text inside a JSON string is the same as by JSON.stringify', () => {
  const texts = fc
    .tuple(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom('', ' ', '\t', '\r'))
    .map(([value, indent]) => JSON.stringify(value, undefined, indent));
  fc.assert(
    fc.property(texts, (text) => {
      expect(escapedBytes(text).toString()).toBe(JSON.stringify(text).slice(1, -1));
    }),
  );
});

test('a text whose every byte needs a backslash fills the buffer', () => {
  expect(escapedBytes('"\\"').toString()).toBe('\\"\\\\\\"');
});
