import { deepStrictEqual } from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExactJson } from './exact-json.ts';
import { mergePatch } from './merge-patch.ts';
import { readJson } from './read-json.ts';
import {
  bytesOf,
  jsonObjects,
  jsonValues,
  respelled,
  withoutNegativeZero,
} from './test-support/json-texts.ts';

const merge = (target: string, patch: string) => mergePatch(new ExactJson(target), new ExactJson(patch)).text;

describe('the test cases of RFC 7396, appendix A', () => {
  test.each([
    ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['{"a":"b"}', '{"a":null}', '{}'],
    ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['["a","b"]', '["c","d"]', '["c","d"]'],
    ['{"a":"b"}', '["c"]', '["c"]'],
    ['{"a":"foo"}', '"bar"', '"bar"'],
    ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
    ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
    ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['{"a":"foo"}', 'null', undefined],
  ])('%s patched with %s is %s', (target, patch, result) => {
    // As a member, because only objects are merged at the top.
    const patched = result === undefined ? '{}' : `{"v":${result}}`;
    expect(merge(`{"v":${target}}`, `{"v":${patch}}`)).toBe(patched);
  });
});

describe('mergePatch', () => {
  test("keeps the text of the patch's values, white space and numbers included", () => {
    expect(merge('{"a":1}', '{"a":{ "n": 1.0 , "m":[ null ] },"b": [ {"x":null} ]}')).toBe(
      '{"a":{ "n": 1.0 , "m":[ null ] },"b": [ {"x":null} ]}',
    );
  });

  test('keeps the order of the target and appends in the order of the patch', () => {
    expect(merge('{"z":1,"y":2,"x":3}', '{"b":1,"x":4,"a":2,"z":5}')).toBe('{"z":5,"y":2,"x":4,"b":1,"a":2}');
  });

  test("matches names unescaped and keeps the target's spelling", () => {
    expect(merge('{"\\u0061":1,"b":2}', '{"a":3,"\\u0062":null}')).toBe('{"\\u0061":3}');
  });

  test('refuses a target or a patch that is not an object', () => {
    expect(() => merge('[]', '{}')).toThrow(
      new TypeError('The target of a merge patch must be a JSON object'),
    );
    expect(() => merge('{}', 'null')).toThrow(
      new TypeError('The patch of a merge patch must be a JSON object'),
    );
  });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** RFC 7396, section 2, on parsed values. */
function mergeValues(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergeValues(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** Pairs with shared names, so that members are changed and removed, not only added. */
const targetsAndPatches = fc.tuple(jsonObjects, jsonObjects, jsonValues).map(([target, other, value]) => {
  const shared = Object.entries(target).filter((_, index) => index % 2 === 0);
  const changes = shared.map(([name, before], index) => {
    if (index % 3 === 0) return [name, null];
    return [name, isObject(before) ? { ...other, extra: value } : value];
  });
  return { target, patch: Object.fromEntries([...changes, ...Object.entries(other)]) as object };
});

describe('on any two objects', () => {
  test('merging the texts is merging the values', () => {
    fc.assert(
      fc.property(targetsAndPatches, fc.gen(), ({ target, patch }, choose) => {
        const merged = merge(respelled(target, choose), respelled(patch, choose));
        deepStrictEqual(
          withoutNegativeZero(readJson(bytesOf(merged), { maxDepth: 64 })),
          withoutNegativeZero(mergeValues(target, patch)),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('members that the patch does not name keep their text and order', () => {
    fc.assert(
      fc.property(targetsAndPatches, fc.gen(), ({ target, patch }, choose) => {
        const text = respelled(target, choose);
        const untouched = Object.keys(target).filter((name) => !Object.hasOwn(patch, name));
        const textsIn = (json: string) =>
          Object.entries(readJson(bytesOf(json), { maxDepth: 64, exact: untouched }) as object).filter(
            ([name]) => untouched.includes(name),
          );
        expect(textsIn(merge(text, respelled(patch, choose)))).toStrictEqual(textsIn(text));
      }),
      { numRuns: 300 },
    );
  });
});
