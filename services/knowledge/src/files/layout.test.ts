import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isVisibleName } from './file-path.ts';
import { folderName, groupFolder, idOfFolder, placeOf } from './layout.ts';

const id = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom('.', '/', '%', '\0', '2', 'E'),
      fc.string({ unit: anyCharacter, maxLength: 1 }),
    ),
    minLength: 1,
  })
  .filter((text) => text !== '');

describe('the folder of an id', () => {
  test('has a valid name that is not hidden', () => {
    fc.assert(fc.property(id, (any) => expect(isVisibleName(folderName(any))).toBe(true)));
  });

  test('has a name from which only this id follows', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(idOfFolder(folderName(one))).toBe(one);
        expect(folderName(one) === folderName(other)).toBe(one === other);
      }),
    );
  });

  test('is the only folder of the id', () => {
    fc.assert(
      fc.property(id, (name) => {
        const found = idOfFolder(name);
        if (found !== undefined) expect(folderName(found)).toBe(name);
      }),
    );
  });

  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['auth0|ada', 'auth0|ada'],
    ['a/b', 'a%2Fb'],
    ['..', '%2E.'],
    ['100%', '100%25'],
    ['\0', '%00'],
  ])('of %j is %j', (any, name) => {
    expect(folderName(any)).toBe(name);
  });

  test.each(['ada%40example.com', '%2f', '%', '%zz', '.ada', '%ff'])('is never %j', (name) => {
    expect(idOfFolder(name)).toBeUndefined();
  });
});

describe('a path in the directory', () => {
  test.each([
    ['', { kind: 'everything' }],
    ['ws_1', { kind: 'workspace', workspaceId: 'ws_1' }],
    ['ws_1/personal', { kind: 'workspace', workspaceId: 'ws_1' }],
    ['ws_1/company', { kind: 'files', group: { workspaceId: 'ws_1', owner: null }, path: '' }],
    ['ws_1/company/a/b', { kind: 'files', group: { workspaceId: 'ws_1', owner: null }, path: 'a/b' }],
    ['ws_1/personal/a%2Fb', { kind: 'files', group: { workspaceId: 'ws_1', owner: 'a/b' }, path: '' }],
    [
      'ws_1/personal/ada/company',
      { kind: 'files', group: { workspaceId: 'ws_1', owner: 'ada' }, path: 'company' },
    ],
  ])('%j concerns %j', (path, place) => {
    expect(placeOf(path)).toEqual(place);
  });

  test.each([
    'ws_1/public',
    'ws_1/public/a',
    'ws%41',
    'ws_1/personal/%41',
    '.git',
    'ws_1/.x',
    'ws_1/company/.x',
    'ws_1/company/a/.x/b',
  ])('%j concerns nothing', (path) => {
    expect(placeOf(path)).toBeUndefined();
  });

  test('of a group concerns that group', () => {
    fc.assert(
      fc.property(id, fc.option(id), (workspaceId, owner) => {
        const group = { workspaceId, owner };
        expect(placeOf(groupFolder(group))).toEqual({ kind: 'files', group, path: '' });
      }),
    );
  });
});
