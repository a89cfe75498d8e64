import { anyCharacter } from '@action-platform/testing/arbitraries';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cursorAt as cursorBeside, nextCursor, positionIn } from './cursor.ts';

const any = () => true;
const text = fc.string({ unit: anyCharacter });
const cursorAt = (listing: string, position: string) =>
  nextCursor(listing, { items: [position], last: position, hasMore: true }, String)!;

describe('cursors', () => {
  test('return the position they were made for', () => {
    fc.assert(
      fc.property(text, text, (listing, position) => {
        expect(positionIn(listing, cursorAt(listing, position), any)).toBe(position);
      }),
    );
  });

  test('have others of the same listing beside them', () => {
    const cursor = cursorAt('things', '7');
    expect(cursorBeside(cursor, '8')).toBe(cursorAt('things', '8'));
  });

  test('are refused by another listing', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (listing, other, position) => {
        fc.pre(listing !== other);
        expect(() => positionIn(other, cursorAt(listing, position), any)).toThrow(/cursor/);
      }),
    );
  });

  test('are refused when they are any other text', () => {
    fc.assert(
      fc.property(text, (made) => {
        expect(() => positionIn('records', made, any)).toThrow(/cursor/);
      }),
    );
  });

  test('are refused when the listing has no such position', () => {
    const isNumber = (position: string) => /^\d+$/.test(position);
    expect(positionIn('history', cursorAt('history', '7'), isNumber)).toBe('7');
    expect(() => positionIn('history', cursorAt('history', 'seven'), isNumber)).toThrow(/cursor/);
  });

  test('are null after the last page', () => {
    expect(nextCursor('things', { items: [1, 2], last: 2, hasMore: false }, String)).toBeNull();
    expect(positionIn('things', undefined, any)).toBeUndefined();
  });
});
