import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isVisibleName } from './file-path.ts';
import { folderName, groupFolder, idOfFolder, inGroupAt, isInLayout } from './layout.ts';

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
  test('has a name from which only this id follows', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(idOfFolder(folderName(one))).toBe(one);
        expect(folderName(one) === folderName(other)).toBe(one === other);
        expect(isVisibleName(folderName(one))).toBe(true);
        // No other folder is that of an id.
        const found = idOfFolder(other);
        if (found !== undefined) expect(folderName(found)).toBe(other);
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

describe('a path of a source', () => {
  test.each([
    ['ws_1/company', null, ''],
    ['ws_1/company/a/b', null, 'a/b'],
    ['ws_1/personal/a%2Fb', 'a/b', ''],
    ['ws_1/personal/ada/company', 'ada', 'company'],
  ])('%j is in a group', (path, owner, inGroup) => {
    expect(inGroupAt(path)).toEqual({ group: { workspaceId: 'ws_1', owner }, path: inGroup });
    expect(isInLayout(path)).toBe(true);
  });

  const never = ['ws_1/public', 'ws_1/public/a', 'ws%41', 'ws_1/personal/%41', '.git', 'ws_1/.x'];
  test.each([
    ...['ws_1', 'ws_1/personal'].map((path) => [path, true] as const),
    ...[...never, 'ws_1/company/.x', 'ws_1/company/a/.x/b'].map((path) => [path, false] as const),
  ])('%j is in no group; it may hold groups: %j', (path, isIn) => {
    expect(inGroupAt(path)).toBeUndefined();
    expect(isInLayout(path)).toBe(isIn);
  });

  test('of a group is in that group', () => {
    fc.assert(
      fc.property(id, fc.option(id), (workspaceId, owner) => {
        const group = { workspaceId, owner };
        expect(inGroupAt(groupFolder(group))).toEqual({ group, path: '' });
      }),
    );
  });
});
