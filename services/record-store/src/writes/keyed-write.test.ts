import { ExactJson } from '@action-platform/json';
import { describe, expect, test } from '@jest/globals';
import { keyedWrite, requireSameInput } from './keyed-write.ts';

const write = (text: string, more: { operationId?: string; expectedVersion?: number } = {}) =>
  keyedWrite('key', { operationId: 'some.operation', value: new ExactJson(text), ...more })!;

describe('a keyed write', () => {
  test('is the same for the same value, however it is written', () => {
    const { fingerprint } = write('{"a":[1,{"b":"é","c":10}]}');
    expect(write('{ "a" : [ 1.0, { "c": 1e1, "b": "\\u00e9" } ] }').fingerprint).toBe(fingerprint);
    expect(() => requireSameInput(fingerprint, write('{"a":[1,{"b":"é","c":10}]}'))).not.toThrow();
  });

  test('is another for another value, operation or expected version', () => {
    const others = [
      write('{"a":1}'),
      write('{"a":"1"}'),
      write('{"a":[1]}'),
      write('{"a":1}', { expectedVersion: 1 }),
      write('{"a":1}', { expectedVersion: 2 }),
      write('{"a":1}', { operationId: 'another.operation' }),
    ];
    expect(new Set(others.map(({ fingerprint }) => fingerprint)).size).toBe(others.length);
    expect(() => requireSameInput(others[0]!.fingerprint, others[1]!)).toThrow(
      /already used with other input/,
    );
  });

  test('needs a key', () => {
    expect(
      keyedWrite(undefined, { operationId: 'some.operation', value: new ExactJson('{}') }),
    ).toBeUndefined();
  });
});
