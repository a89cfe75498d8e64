import type { ExactLimit } from '@action-platform/contracts/limits';
import { expect, test } from '@jest/globals';
import { freeSlot } from './free-slot.ts';

const MOST = 10 as ExactLimit;
const slots = (...taken: number[]) => taken.map((slot) => ({ slot }));
const without = (count: number) => Array.from({ length: count }, () => ({}));

test('a slot is free as long as fewer documents are there than the limit, with a slot or without', () => {
  expect(freeSlot([], MOST)).toBeLessThan(10);
  expect(freeSlot([...slots(0, 1, 2), ...without(6)], MOST)).toBe(3);
  expect(freeSlot([...slots(5, 6, 7, 8, 9), ...without(4)], MOST)).toBe(0);
  expect(freeSlot([...slots(5, 6, 7, 8, 9), ...without(5)], MOST)).toBeUndefined();
  expect(freeSlot(without(11), MOST)).toBeUndefined();
  expect(freeSlot(slots(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), MOST)).toBeUndefined();
});
