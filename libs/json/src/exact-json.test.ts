import { describe, expect, test } from '@jest/globals';
import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError } from './errors.ts';
import { ExactJson } from './exact-json.ts';

describe('ExactJson.parse', () => {
  test('keeps the text without the white space around it', () => {
    expect(ExactJson.parse(' \n{ "a" : 1.0 }\t', { maxDepth: 1 }).text).toBe('{ "a" : 1.0 }');
  });

  test('checks as readJson does', () => {
    expect(() => ExactJson.parse('{} {}', { maxDepth: 2 })).toThrow(JsonSyntaxError);
    expect(() => ExactJson.parse('{"a":[[]]}', { maxDepth: 2 })).toThrow(JsonDepthError);
    expect(() => ExactJson.parse('{"a":[],"a":[]}', { maxDepth: 2 })).toThrow(JsonAmbiguityError);
    expect(() => ExactJson.parse('["\\udc00"]', { maxDepth: 2 })).toThrow(JsonAmbiguityError);
    expect(() => ExactJson.parse('{}', { maxDepth: 100_000 })).toThrow(RangeError);
  });

  test('refuses a text that has no UTF-8 form', () => {
    expect(() => ExactJson.parse('["😀\ud800"]', { maxDepth: 2 })).toThrow(
      new JsonSyntaxError('Half of a surrogate pair', 4),
    );
  });
});

test.each([
  ['{}', 'object'],
  ['[]', 'array'],
  ['""', 'string'],
  ['-1', 'number'],
  ['0', 'number'],
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
])('the kind of %s is %s', (text, kind) => {
  expect(new ExactJson(text).kind).toBe(kind);
});

test('byteLength counts UTF-8 bytes', () => {
  expect(new ExactJson('"aé€😀"').byteLength).toBe(2 + 1 + 2 + 3 + 4);
});

test('JSON.stringify refuses it, so that it cannot be altered unseen', () => {
  expect(() => JSON.stringify({ payload: new ExactJson('{}') })).toThrow(TypeError);
});
