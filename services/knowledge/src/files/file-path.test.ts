import { normalize } from 'node:path/posix';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isVisiblePath } from './file-path.ts';

/** Texts that are likely to break a rule about paths. */
const pathLike = fc.string({
  unit: fc.oneof(
    fc.constantFrom('.', '/', '\0', '\n', 'a', '..'),
    fc.string({ unit: anyCharacter, maxLength: 1 }),
  ),
  maxLength: 12,
});

describe('the path of a visible file', () => {
  test('stays below its base, however it is resolved, and has no hidden name', () => {
    fc.assert(
      fc.property(pathLike, (path) => {
        fc.pre(isVisiblePath(path));
        expect(normalize(path)).toBe(path);
        expect(path).not.toMatch(/^\/|\/$|\/\/|(^|\/)\.|\0/);
      }),
    );
  });

  test('is refused exactly when one of its names is', () => {
    fc.assert(
      fc.property(
        fc.array(
          pathLike.map((text) => text.replaceAll('/', '')),
          { minLength: 1 },
        ),
        (names) => {
          const isFine = (text: string) => text !== '' && !text.startsWith('.') && !text.includes('\0');
          expect(isVisiblePath(names.join('/'))).toBe(names.every(isFine));
        },
      ),
    );
  });
});
