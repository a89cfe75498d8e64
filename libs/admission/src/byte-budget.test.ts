import { expect, test } from '@jest/globals';
import { byteBudget, countedBytes } from './byte-budget.ts';

const MIB = 2 ** 20;

test.each([
  [64, 8192, 64],
  [24, 384, 24],
  [24, 192, 12],
])('of configured %p MiB a process of %p MiB uses %p', (configured, memory, used) => {
  expect(byteBudget(configured * MIB, memory * MIB)).toBe(used * MIB);
});

test('a small body does not count', () => {
  expect([countedBytes(0), countedBytes(16 * 1024), countedBytes(17 * 1024)]).toEqual([0, 0, 1024]);
});
