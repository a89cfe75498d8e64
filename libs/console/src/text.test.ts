import { anyCharacter } from '@action-platform/testing/arbitraries';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { shown, written, writtenJson } from '../browser/text/text.js';

/** The text that the page shows: a part from right to left is a template with the text as its value. */
const shownBy = (parts: unknown[]) =>
  parts.map((part) => (typeof part === 'string' ? part : (part as { values: string[] }).values[0])).join('');
const whole = (json: string) => shownBy(writtenJson(json));
/** Every line break and tab is layout. */
const withoutLayout = (text: string) => text.replaceAll(/[\n\t]/g, '');

test('numbers are shown as they were sent', () => {
  const numbers = '[12345678901234567890,1.0,-0,1e400,0.10]';
  expect(withoutLayout(whole(numbers))).toBe(numbers);
});

test('a value is shown whole, whatever it is', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const text = withoutLayout(whole(json));
      expect(JSON.parse(text)).toEqual(JSON.parse(json));
    }),
  );
});

test('no character is hidden or moves others', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, (string) => {
      const written = withoutLayout(whole(JSON.stringify(string)));
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
  expect(whole(JSON.stringify(text))).toBe(expected);
});

test('text from right to left is isolated', () => {
  const parts = writtenJson('{"\u05d0":"\u05d1"}');
  expect(parts.filter((part) => typeof part !== 'string')).toHaveLength(2);
  expect(shownBy(parts)).toBe('{\n\t"\u05d0": "\u05d1"\n}');
});

test('names stay in their order, and escapes as they were sent', () => {
  expect(withoutLayout(whole('{"b":"\\u0041","1":[ ],"a":{ }}'))).toBe('{"b": "\\u0041","1": [],"a": {}}');
});

/** The text of a name on a page. */
const nameOf = (name: string) => {
  const part = shown(name) as string | { values: (string | unknown[])[] };
  if (typeof part === 'string') return part;
  const [value] = part.values;
  return typeof value === 'string' ? value : shownBy(value as unknown[]);
};

test.each([
  ['Demo Member', 'Demo Member'],
  ['<b>', '<b>'],
  ['\u05d0\u05d1', '\u05d0\u05d1'],
  ['', '""'],
  [' a', '" a"'],
  ['a  b', '"a  b"'],
  ['"a"', '"\\"a\\""'],
  ['a\u202eb', '"a\\u202eb"'],
  ['a\\u202eb', '"a\\\\u202eb"'],
])('the name %j is shown as %s', (name, expected) => {
  expect(nameOf(name)).toBe(expected);
});

test('no two names look alike', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other);
      expect(nameOf(one)).not.toBe(nameOf(other));
    }),
  );
});

test('what no name is', () => {
  expect([shown(null), shown(undefined), shownBy(written(null))]).toEqual(['–', '–', 'null']);
});

test('every key is a member like any other', () => {
  expect(withoutLayout(whole('{"__proto__":{"a":1},"constructor":[]}'))).toBe(
    '{"__proto__": {"a": 1},"constructor": []}',
  );
});
