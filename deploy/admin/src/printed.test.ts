import { expect, test } from '@jest/globals';
import { asJson, asTable } from './printed.ts';

test('a listing is a table, with the other fields of the answer below', () => {
  const files = [
    { key: 'fil_1', path: 'a.md' },
    { key: 'fil_2', path: 'b.md', owners: ['ada', 'bob'] },
  ];
  expect(asTable({ files, next_after: 'b.md' })).toBe(
    ['KEY    PATH  OWNERS', 'fil_1  a.md  -', 'fil_2  b.md  ada, bob', 'next_after  b.md', ''].join('\n'),
  );
  expect(asTable({ files }, ['path'])).toBe('PATH\na.md\nb.md\n');
  expect(asTable({ files: [], next_after: null })).toBe('No files.\n');
  expect(asTable({ grants: [{ userId: 'ada', expiresAt: 1 }] })).toBe('USER_ID  EXPIRES_AT\nada      1\n');
});

test('a single object has a line for each of its fields', () => {
  expect(asTable({ member: { user_id: 'ada', role: 'owner' } })).toBe('user_id  ada\nrole     owner\n');
  expect(asTable({ member: { userId: 'ada' }, stoppedGrants: 2 })).toBe(
    'userId         ada\nstoppedGrants  2\n',
  );
  expect(asTable({ valid: true, found: [] })).toBe('valid  true\nfound  -\n');
  expect(asTable({ quota: 10, stored_bytes: 7 })).toBe('quota         10\nstored_bytes  7\n');
  expect(asTable({ grant: { data: { fileScopes: ['company'] }, name: null, operations: [] } })).toBe(
    'data        {"fileScopes":["company"]}\nname        -\noperations  -\n',
  );
});

test('names in an answer cannot control the terminal', () => {
  const name = 'A\u001b[2Jc\nm\u202ee\u009b';
  expect(asTable({ workspaces: [{ name }] })).toBe('NAME\nA\\u001b[2Jc\\u000am\\u202ee\\u009b\n');
  expect(asJson({ name })).toBe('{"name":"A\\u001b[2Jc\\nm\\u202ee\\u009b"}\n');
  expect(JSON.parse(asJson({ name }))).toEqual({ name });
});
