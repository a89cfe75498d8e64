import { describe, expect, test } from '@jest/globals';
import { JsonAmbiguityError, JsonSyntaxError } from './errors.ts';
import { withoutMembers } from './without-members.ts';

const without = (text: string) => withoutMembers(Buffer.from(text), ['key', 'other']);

describe('an object without some of its members', () => {
  test.each([
    ['{"key":"k"}', '{}'],
    ['{"other":1,"a":1,"key":"k"}', '{"a":1}'],
    ['{"a":1.0,"key":"k"}', '{"a":1.0}'],
    [' {"key" : {"key":1} , "a" : 12345678901234567890 }\n', '{"a" : 12345678901234567890}'],
    ['{"a":{"key":1},"b":[ "key" ]}', '{"a":{"key":1},"b":[ "key" ]}'],
    [' { "a": 1 } ', '{ "a": 1 }'],
    ['{"\\u006bey":1,"__proto__":"é"}', '{"__proto__":"é"}'],
  ])('of %s is %s', (text, expected) => {
    expect(without(text)).toBe(expected);
  });

  test('comes from a text with one meaning alone', () => {
    expect(() => without('{"key":1')).toThrow(JsonSyntaxError);
    expect(() => without('{"a":1,"a":2}')).toThrow(JsonAmbiguityError);
  });
});
