import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileKey } from './stored-file.ts';

const text = fc.string({ unit: anyCharacter });
const file = fc.tuple(text, fc.option(text), text);

describe('the key of a file', () => {
  test('is a function of Workspace, owner and path, and unique', () => {
    fc.assert(
      fc.property(file, file, (one, other) => {
        const [keyOfOne, keyOfOther] = [one, other].map(([workspaceId, owner, path]) =>
          fileKey({ workspaceId, owner }, path),
        );
        expect(keyOfOne === keyOfOther).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  test('never changes between versions: callers may have kept it', () => {
    expect(fileKey({ workspaceId: 'ws_1', owner: null }, 'a/handbook.md')).toBe(
      'fil_e525c970488cbb31dddcc9e7ccb42948',
    );
    expect(fileKey({ workspaceId: 'ws_1', owner: 'ada' }, 'a/handbook.md')).toBe(
      'fil_f0f6458eab4853502125deb8a2d12442',
    );
  });
});
