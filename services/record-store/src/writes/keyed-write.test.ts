import { ExactJson } from '@action-platform/json';
import { describe, expect, test } from '@jest/globals';
import { type KeyedWrite, keyedWrite } from './keyed-write.ts';

const write = (text: string, more: { operationId?: string; expectedVersion?: number } = {}) =>
  keyedWrite('key', {
    operationId: 'some.operation',
    value: new ExactJson(text),
    ...more,
  }) as Promise<KeyedWrite>;

describe('a keyed write', () => {
  test('is the same for the same value in other notation', async () => {
    const { fingerprint } = await write('{"a":[1,{"b":"é","c":10}]}');
    const again = await write('{ "a" : [ 1.0, { "c": 1e1, "b": "\\u00e9" } ] }');
    expect(again.fingerprint).toBe(fingerprint);
  });

  test('differs for another value, operation or expected version', async () => {
    const others = await Promise.all([
      write('{"a":1}'),
      write('{"a":"1"}'),
      write('{"a":[1]}'),
      write('{"a":1}', { expectedVersion: 1 }),
      write('{"a":1}', { expectedVersion: 2 }),
      write('{"a":1}', { operationId: 'another.operation' }),
    ]);
    expect(new Set(others.map(({ fingerprint }) => fingerprint)).size).toBe(others.length);
  });

  test('is undefined without a key', async () => {
    const input = { operationId: 'some.operation', value: new ExactJson('{}') };
    expect(await keyedWrite(undefined, input)).toBeUndefined();
  });
});
