import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.ts';
import { JsonAmbiguityError, JsonSyntaxError } from './errors.ts';
import { ExactJson } from './exact-json.ts';
import { jsonValues, respelled, withoutNegativeZero } from './test-support/json-texts.ts';

describe('canonicalJson', () => {
  test('sorts members by UTF-16 code units, drops white space and unescapes', () => {
    expect(
      canonicalJson(
        ' { "b" : [ 1.0 , "\\u0041\\/\\n\\u00e9" ] ,\n "\\uff5e":1, "😀" : null, "B":true, "a\\u0022":0 } ',
      ),
    ).toBe('{"B":true,"a\\"":0,"b":[1,"A/\\né"],"😀":null,"～":1}');
  });

  test('takes an ExactJson', () => {
    expect(canonicalJson(new ExactJson('{ "b":1E0, "a":{} }'))).toBe('{"a":{},"b":1}');
  });

  test('refuses text that is not one value with one meaning', () => {
    expect(() => canonicalJson('{')).toThrow(JsonSyntaxError);
    expect(() => canonicalJson('{"a":1,"a":1}')).toThrow(JsonAmbiguityError);
  });

  test('is the same for every spelling of a value, and reads back as that value', () => {
    fc.assert(
      fc.property(jsonValues, fc.gen(), (value, choose) => {
        const canonical = canonicalJson(respelled(value, choose));
        expect(canonicalJson(respelled(value, choose))).toBe(canonical);
        expect(canonicalJson(canonical)).toBe(canonical);
        expect(
          isDeepStrictEqual(withoutNegativeZero(JSON.parse(canonical)), withoutNegativeZero(value)),
        ).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('differs for different values, and only for those', () => {
    const small = fc.oneof(
      fc.integer({ min: -2, max: 12 }),
      fc.constantFrom('', '1', 'a', null, true),
      fc.constant([]),
    );
    const close = fc.oneof(
      small,
      fc.array(small, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), small, { maxKeys: 2, noNullPrototype: true }),
    );
    fc.assert(
      fc.property(close, close, fc.gen(), (one, other, choose) => {
        const equal = canonicalJson(respelled(one, choose)) === canonicalJson(respelled(other, choose));
        expect(equal).toBe(isDeepStrictEqual(one, other));
      }),
      { numRuns: 2000 },
    );
  });
});
