import { hash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ExactJson } from './exact-json.ts';
import { fingerprintOf } from './fingerprint.ts';

test('inputs of one value have one fingerprint, in any order of names', async () => {
  const same = [
    { a: 1, b: { c: 'x', d: null } },
    { b: { d: null, c: 'x' }, a: 1 },
  ];
  const text = new ExactJson('{ "b": {"d":null, "c":"\\u0078"}, "a": 1.0 }');
  const fingerprints = await Promise.all([...same, text].map((input) => fingerprintOf(input)));
  expect(new Set(fingerprints).size).toBe(1);
  expect(await fingerprintOf({ a: 2, b: { c: 'x', d: null } })).not.toBe(fingerprints[0]);
});

test('a list has the fingerprint that was stored before: that of its text', async () => {
  const list = ['https://a.example/é"\\', ['record.*'], null, 'line\nbreak\u2028'];
  expect(await fingerprintOf(list)).toBe(hash('sha256', JSON.stringify(list), 'base64url'));
});
