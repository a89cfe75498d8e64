import { anyCharacter } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseExact, written } from '../browser/exact.js';

/** The text that the page shows: a part from right to left is a template with the text as its value. */
const shownBy = (parts: unknown[]) =>
  parts.map((part) => (typeof part === 'string' ? part : (part as { values: string[] }).values[0])).join('');
const shown = (json: string) => shownBy(written(parseExact(json)));
/** Every line break and tab is layout. */
const withoutLayout = (text: string) => text.replaceAll(/[\n\t]/g, '');

test('numbers are shown as they were sent', () => {
  const numbers = '[12345678901234567890,1.0,-0,1e400,0.10]';
  expect(withoutLayout(shown(numbers))).toBe(numbers);
});

test('a value is shown whole, whatever it is', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const text = withoutLayout(shown(json));
      expect(JSON.parse(text)).toEqual(JSON.parse(json));
    }),
  );
});

test('no character is hidden or moves others', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, (string) => {
      const written = withoutLayout(shown(JSON.stringify(string)));
      expect(written).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(JSON.parse(written)).toBe(string);
    }),
  );
});

test.each([
  ['\u202e', '"\\u202e"'],
  ['\u2066\u2069\u200f', '"\\u2066\\u2069\\u200f"'],
  ['\u200b\ufeff\u00ad\u3164', '"\\u200b\\ufeff\\u00ad\\u3164"'],
  ['\u{e0041}', '"\\udb40\\udc41"'],
  ['\u00a0\u2003 ', '"\\u00a0\\u2003 "'],
  ['\0\u0085\u007f', '"\\u0000\\u0085\\u007f"'],
  ['\\u202e', '"\\\\u202e"'],
  ['a\nb\\n', '"a\\n\nb\\\\n"'],
])('%j is shown as %s', (text, expected) => {
  expect(shown(JSON.stringify(text))).toBe(expected);
});

test('text from right to left is isolated', () => {
  const parts = written(parseExact('{"\u05d0":"\u05d1"}'));
  expect(parts.filter((part) => typeof part !== 'string')).toHaveLength(2);
  expect(shownBy(parts)).toBe('{\n\t"\u05d0": "\u05d1"\n}');
});

test('every key is a member like any other', () => {
  expect(withoutLayout(shown('{"__proto__":{"a":1},"constructor":[]}'))).toBe(
    '{"__proto__": {"a": 1},"constructor": []}',
  );
});
