import { randomBytes } from 'node:crypto';
import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readSecretKeys } from '../secrets/secret-keys.ts';
import { Cursors } from './cursors.ts';

const [first, second] = ['k1', 'k2'].map((id) => `${id}:${randomBytes(32).toString('base64')}`);
const withKeys = (...keys: unknown[]) => new Cursors(readSecretKeys('SEAL_KEYS', keys.join()));
const cursors = withKeys(first);
const text = fc.string({ unit: anyCharacter });

describe('cursors', () => {
  test('return the position they were made for, in every replica', () => {
    fc.assert(
      fc.property(text, text, (listing, position) => {
        expect(withKeys(first).positionIn(listing, cursors.at(listing, position))).toBe(position);
      }),
    );
  });

  test('are equal for equal positions, and hide them', () => {
    expect(cursors.at('things', '7')).toBe(withKeys(first).at('things', '7'));
    const sealed = Buffer.from(cursors.at('things', '1234567'), 'base64url');
    expect(sealed.toString('latin1')).not.toMatch(/things|\d{5}/);
  });

  test('outlive the replacement of a key while the former one is accepted', () => {
    const made = cursors.at('things', '7');
    expect(withKeys(first, second).positionIn('things', made)).toBe('7');
    expect(withKeys(second, first).positionIn('things', made)).toBe('7');
    expect(() => withKeys(second).positionIn('things', made)).toThrow(/cursor/);
  });

  test('are refused by another listing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (listing, other, position) => {
        fc.pre(listing !== other);
        expect(() => cursors.positionIn(other, cursors.at(listing, position))).toThrow(/cursor/);
      }),
    );
  });

  test('are refused when any bit of them is another one', () => {
    const sealed = Buffer.from(cursors.at('things', '7'), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const forged = Buffer.from(sealed);
      forged[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => cursors.positionIn('things', forged.toString('base64url'))).toThrow(/cursor/);
    }
  });

  test('are refused when they are any other text', () => {
    fc.assert(
      fc.property(text, (made) => {
        expect(() => cursors.positionIn('records', made)).toThrow(/cursor/);
      }),
    );
  });

  test('lead from page to page, and are null after the last one', async () => {
    const read = (after = '0') => [1, 2, 3].filter((item) => item > Number(after));
    const page = (cursor?: string) =>
      cursors.page('things', cursor, { read, positionOf: String, limit: 2, maxBytes: 100 });
    const { items, next } = await page();
    expect(items).toEqual([1, 2]);
    expect(await page(next!)).toEqual({ items: [3], next: null });
  });
});
