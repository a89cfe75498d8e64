import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fileName } from './local-provider.ts';

describe('the name of a file or folder', () => {
  test('is the text itself when every file system takes it', () => {
    for (const text of ['ws_0199aa', 'ada.lovelace+news@example.com', 'o-k'])
      expect(fileName(text)).toBe(text);
  });

  test.each([
    '',
    '.',
    '..',
    '../../etc',
    'a/b',
    'a\\b',
    'c:d',
    'a\0b',
    'UPPER',
    'ends.',
    'nul',
    'con.x@example.com',
    'é',
    'x'.repeat(255),
  ])('is safe when the text is not: %j', (text) => {
    expect(fileName(text)).toMatch(/^~[0-9a-f]{64}$/);
  });

  test('differs for different texts, whether or not the file system distinguishes upper and lower case', () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('a', 'A', '.', '/', '~', '0') }));
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        fc.pre(one !== other);
        expect(fileName(one).toLowerCase()).not.toBe(fileName(other).toLowerCase());
      }),
    );
  });
});
