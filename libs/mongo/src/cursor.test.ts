import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from './cursor.ts';

describe('cursors', () => {
  test('give back the position they were made for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (listing, position) => {
        expect(decodeCursor(listing, encodeCursor(listing, position))).toBe(position);
      }),
    );
  });

  test('are refused by another listing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (listing, other, position) => {
        fc.pre(listing !== other);
        expect(() => decodeCursor(other, encodeCursor(listing, position))).toThrow(/cursor/);
      }),
    );
  });

  test('are refused when they are anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(() => decodeCursor('records', text)).toThrow(/cursor/);
      }),
    );
  });
});
