import { expect, test } from '@jest/globals';
import { isIdOf, newId } from './ids.ts';

test('ids of one process are distinct and sort by creation', () => {
  const ids = Array.from({ length: 10_000 }, () => newId('record'));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  expect(ids.every((id) => isIdOf('record', id))).toBe(true);
});

test('an id is a UUIDv7 of its parts (RFC 9562, section 5.7)', () => {
  const random = Uint8Array.from({ length: 16 }, (_, index) => index);
  expect(newId('record', { msecs: 0x017f22e279b0, seq: 0, random })).toBe(
    'rec_017f22e279b070008000020b0c0d0e0f',
  );
});
