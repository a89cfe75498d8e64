import { describe, expect, test } from '@jest/globals';
import { JsonAmbiguityError, JsonDepthError, JsonSyntaxError } from './errors.ts';
import { readJson } from './read-json.ts';
import { bytesOf } from './test-support/json-texts.ts';

const read = (text: string, exact: string[] = [], maxDepth = 64) =>
  readJson(bytesOf(text), { maxDepth, exact });

const errorOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('plain values', () => {
  test.each([[[]], [['payload']]])(
    '__proto__ is an own property and sets no prototype (exact: %j)',
    (exact) => {
      const value = read('{"__proto__":{"admin":true},"payload":{},"n":{"__proto__":1}}', exact) as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)).toEqual(['__proto__', 'payload', 'n']);
      expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual({
        value: { admin: true },
        configurable: true,
        enumerable: true,
        writable: true,
      });
      expect(value).not.toHaveProperty('admin');
    },
  );
});

describe('exact members', () => {
  test('are only those of the top-level object', () => {
    const plain = { a: { payload: 1 }, b: [{ payload: 1 }] };
    expect(read(JSON.stringify(plain), ['payload'])).toStrictEqual(plain);
    expect(read('[{"payload":1}]', ['payload'])).toStrictEqual([{ payload: 1 }]);
  });
});

describe('depth', () => {
  test('a top-level object or array is level 1', () => {
    expect(read('{"a":{}}', [], 2)).toEqual({ a: {} });
    expect(errorOf(() => read('{"a":{}}', [], 1))).toEqual(new JsonDepthError(1));
    expect(errorOf(() => read('[[]]', [], 1))).toEqual(new JsonDepthError(1));
    expect(read('7', [], 0)).toBe(7);
    expect(errorOf(() => read('[]', [], 0))).toBeInstanceOf(JsonDepthError);
  });

  test.each([-1, 1.5, 513, 100_000, Number.NaN])('maxDepth %d is refused', (maxDepth) => {
    expect(() => read('1', [], maxDepth)).toThrow(RangeError);
  });
});

describe('ambiguity', () => {
  test.each([
    ['{"payload":{"q":[{"r":1,"r":2}]}}', 'duplicate_name', ['payload', 'q', 0, 'r']],
    ['"\\ud83d"', 'lone_surrogate', []],
    ['["ok","\\uDE00"]', 'lone_surrogate', [1]],
    ['{"payload":{"s":"\\ud83d\\u0041"}}', 'lone_surrogate', ['payload', 's']],
    ['{"s":"\\ud83dx\\ude00"}', 'lone_surrogate', ['s']],
    ['{"s":"\\ud83d\\ud83d\\ude00"}', 'lone_surrogate', ['s']],
    ['{"a":{"n\\ud800":1}}', 'lone_surrogate', ['a', 'n\ufffd']],
  ])('%s has %s at %j', (text, reason, path) => {
    expect(errorOf(() => read(text, ['payload']))).toMatchObject({
      name: 'JsonAmbiguityError',
      reason,
      path,
    });
  });

  test('the first one is reported', () => {
    expect(errorOf(() => read('{"a":"\\ud800","b":1,"b":2}'))).toMatchObject({ path: ['a'] });
  });

  test('is reported only when the text is JSON and not too deep', () => {
    expect(errorOf(() => read('{"a":1,"a":2'))).toBeInstanceOf(JsonSyntaxError);
    expect(errorOf(() => read('{"a":1,"a":2}x'))).toBeInstanceOf(JsonSyntaxError);
    expect(errorOf(() => read('{"a":1,"a":[[]]}', [], 2))).toBeInstanceOf(JsonDepthError);
    expect(errorOf(() => read('{"a":1,"a":2}'))).toBeInstanceOf(JsonAmbiguityError);
  });
});

describe('syntax', () => {
  test.each([
    ['', 'Expected a value at character 0'],
    ['\ufeff{}', 'Expected a value at character 0'],
    ['{"a":1}secret', 'Expected the end of the text at character 7'],
    ['{"a" 1}', 'Expected a colon at character 5'],
    ['{a:1}', 'Expected a member name in double quotes at character 1'],
    ['{"a":1,}', 'Trailing comma before a closing brace at character 7'],
    ['[1,]', 'Trailing comma before a closing bracket at character 3'],
    ['[1 2]', 'Expected a comma or a closing bracket at character 3'],
    ['{"a":1', 'Expected a comma or a closing brace at character 6'],
    ['"ab', 'Expected a closing quote at character 3'],
    ['"a\nb"', 'Control character in a string at character 2'],
    ['"\\x"', 'Unknown escape in a string at character 1'],
    ['01', 'Expected the end of the text at character 1'],
    ['-', 'Expected a digit at character 1'],
    ['1e+', 'Expected a digit at character 3'],
    ['NaN', 'Expected a value at character 0'],
    ['nul', 'Expected a value at character 0'],
  ])('%j is refused: %s', (text, message) => {
    const error = errorOf(() => read(text));
    expect(error).toBeInstanceOf(JsonSyntaxError);
    expect(error).toMatchObject({ message, offset: Number(/\d+$/.exec(message)?.[0]) });
  });
});
