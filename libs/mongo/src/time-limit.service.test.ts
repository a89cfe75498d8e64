import { inBackground } from '@action-platform/contracts';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import { within } from './time-limit.ts';

let database: Database;
let things: Collection;
beforeAll(async () => {
  database = await openTestDatabase('time-limit');
  things = database.db.collection('things');
  await things.insertOne({});
});
afterAll(async () => {
  await database.close();
});

const inMs = (milliseconds: number) => ({ deadline: performance.now() + milliseconds });

describe('the time limit of a command', () => {
  test('has the server give up when the one who waits does', async () => {
    const slow = things.findOne({ $where: 'sleep(60000) || true' }, within(inMs(100)));
    await expect(slow).rejects.toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
  });

  test('is whole milliseconds, at least one, and never more than a command may take at all', () => {
    for (const milliseconds of [200.5, 1_000, 5_000.2]) {
      const { maxTimeMS } = within(inMs(milliseconds));
      expect(Number.isInteger(maxTimeMS)).toBe(true);
      expect(maxTimeMS).toBeGreaterThanOrEqual(1);
      expect(maxTimeMS).toBeLessThanOrEqual(Math.ceil(milliseconds));
    }
    expect(within(inMs(3_600_000))).toEqual(within(inBackground));
  });

  test('lets nothing be sent that nobody waits for', () => {
    expect(() => within(inMs(-1))).toThrow(expect.objectContaining({ code: 'action_platform_unavailable' }));
  });
});
