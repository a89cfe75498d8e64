import { describe, expect, test } from '@jest/globals';
import { canonicalJson } from './canonical-json.ts';
import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError } from './errors.ts';
import { ExactJson } from './exact-json.ts';
import { mergePatch } from './merge-patch.ts';
import { readJson } from './read-json.ts';
import { MAX_DEPTH } from './scanner/scan-json.ts';
import { bytesOf } from './test-support/json-texts.ts';

/** A quarter of the largest accepted body. A quadratic algorithm would exceed the time of a test. */
const SIZE = 512 * 1024;

const repeated = (part: string) => part.repeat(Math.floor(SIZE / part.length));
const read = (text: string, maxDepth = 64) => readJson(bytesOf(text), { maxDepth, exact: ['payload'] });

/** An object with as many members as fit. */
function manyMembers(name: (index: number) => string): string {
  const members: string[] = [];
  for (let size = 0; size < SIZE; size += members.at(-1)!.length)
    members.push(`"${name(members.length)}":0,`);
  return `{${members.join('').slice(0, -1)}}`;
}

const broadValues = {
  'one string': `"${repeated('x')}"`,
  'one string of escapes': `"${repeated('\\u0000')}"`,
  'one string of escaped pairs': `"${repeated('\\ud83d\\ude00')}"`,
  'one number': `1${repeated('0')}`,
  'one number with a long fraction': `0.${repeated('0')}1`,
  'one number with a long exponent': `10e${repeated('9')}`,
  'white space': `[${repeated(' \n')}]`,
  'many items': `[${repeated('0,')}0]`,
  'many empty objects': `[${repeated('{},')}{}]`,
  'many members': manyMembers((index) => `${index}`),
  'many members with a common start': manyMembers((index) => `name-${index}`),
  'members named by multiples of a power of two': manyMembers((index) => `${index * 65_536}`),
  'many escaped names': manyMembers((index) => `\\u0061${index}`),
  'a few long names': `{${Array.from({ length: 20 }, (_, index) => `"${'x'.repeat(SIZE / 20)}${index}":0`).join(',')}}`,
  'the deepest nesting, broad at the bottom': `${'{"a":['.repeat(31)}${repeated('0,')}0${']}'.repeat(31)}`,
};

test.each(Object.entries(broadValues))(
  '%s is kept, and merges with itself into the same value',
  (_, value) => {
    const { payload } = read(`{"payload":${value}}`) as { payload: ExactJson };
    expect(payload.text === value).toBe(true);
    const object = new ExactJson(`{"payload":${value}}`);
    const merged = mergePatch(object, object);
    expect(merged.text === object.text || canonicalJson(merged) === canonicalJson(object)).toBe(true);
  },
);

describe('refused texts', () => {
  test.each([
    ['brackets', repeated('[')],
    ['braces', repeated('{"a":')],
    ['balanced brackets', '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2)],
  ])('nested %s, at any depth that may be asked for', (_, text) => {
    expect(() => read(text)).toThrow(JsonDepthError);
    expect(() => read(text, MAX_DEPTH)).toThrow(JsonDepthError);
  });

  test.each([
    ['one name again and again', manyMembers(() => ''), JsonAmbiguityError],
    ['one escaped name again and again', manyMembers(() => '\\u0061'), JsonAmbiguityError],
    ['lone surrogates', `"${repeated('\\ud800')}"`, JsonAmbiguityError],
    ['a string without an end', `"${repeated('x')}`, JsonSyntaxError],
    ['backslashes without an end', `"${repeated('\\\\')}`, JsonSyntaxError],
    ['white space alone', repeated(' '), JsonSyntaxError],
  ])('%s', (_, text, errorClass) => {
    expect(() => read(text)).toThrow(errorClass);
  });

  test('bytes that are nowhere UTF-8', () => {
    expect(() => readJson(new Uint8Array(SIZE).fill(0xff), { maxDepth: 64 })).toThrow(JsonSyntaxError);
  });
});

test('the deepest nesting that may be asked for fits the stack', () => {
  const deep = `${'{"a":['.repeat(MAX_DEPTH / 2)}1.0${']}'.repeat(MAX_DEPTH / 2)}`;
  expect(ExactJson.parse(deep, { maxDepth: MAX_DEPTH }).text).toBe(deep);
  expect(canonicalJson(deep)).toBe(deep.replace('1.0', '1'));

  const nested = (value: string) => `${'{"a":'.repeat(MAX_DEPTH)}${value}${'}'.repeat(MAX_DEPTH)}`;
  const patched = mergePatch(new ExactJson(nested('1')), new ExactJson(nested('2')));
  expect(patched.text).toBe(nested('2'));
  expect(mergePatch(new ExactJson('{}'), patched).text).toBe(nested('2'));
});
