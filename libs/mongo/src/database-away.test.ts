import { setImmediate as tick } from 'node:timers/promises';
import { ActionError } from '@action-platform/contracts/errors';
import { expect, test } from '@jest/globals';
import { togetherOrAlone } from './database-away.ts';

const items = Array.from({ length: 330 }, (_, index) => index);

test('many items are divided into groups, and an item that fails delays no other group', async () => {
  const done: (readonly number[])[] = [];
  const defect = new Error('a defect');
  const work = async (some: readonly number[]) => {
    if (some.includes(100)) throw defect;
    done.push(some);
  };
  expect(await togetherOrAlone(items, work, 4)).toEqual(new Map([[100, defect]]));
  expect(done.flat().toSorted((a, b) => a - b)).toEqual(items.filter((item) => item !== 100));
  expect(done.filter(({ length }) => length > 1)).toHaveLength(3);
});

test('no group is under way any more when the database is away', async () => {
  const away = new ActionError('action_platform_unavailable');
  let underWay = 0;
  const work = async (some: readonly number[]) => {
    underWay++;
    if (some.includes(0)) throw away;
    await tick();
    underWay--;
  };
  await expect(togetherOrAlone(items, work, 4)).rejects.toBe(away);
  // The group that failed.
  expect(underWay).toBe(1);
});
