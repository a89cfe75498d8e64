import { inBackground } from '@action-platform/contracts/calls';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import { whileAwaited, within } from './time-limit.ts';

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
  test('makes the server give up at the deadline of the caller', async () => {
    const slow = things.findOne({ $where: 'sleep(60000) || true' }, within(inMs(100)));
    await expect(slow).rejects.toMatchObject({ code: 50, codeName: 'MaxTimeMSExpired' });
  });

  test('is whole milliseconds, at least one, and at most the longest for any command', () => {
    for (const milliseconds of [200.5, 1_000, 5_000.2]) {
      const { maxTimeMS } = within(inMs(milliseconds));
      expect(Number.isInteger(maxTimeMS)).toBe(true);
      expect(maxTimeMS).toBeGreaterThanOrEqual(1);
      expect(maxTimeMS).toBeLessThanOrEqual(Math.ceil(milliseconds));
    }
    expect(within(inMs(3_600_000))).toEqual(within(inBackground));
  });

  test('closes a cursor on the server after the deadline', async () => {
    await things.insertMany(Array.from({ length: 5 }, () => ({})));
    const idle = [
      { $currentOp: { idleCursors: true } },
      { $match: { type: 'idleCursor', ns: things.namespace } },
    ];
    const admin = database.client.db('admin');
    const open = async () => {
      const { cursor } = await admin.command({ aggregate: 1, pipeline: idle, cursor: {} });
      return cursor.firstBatch.length;
    };
    const waiting = { deadline: Number.POSITIVE_INFINITY };
    const found = whileAwaited(things.find({}, { batchSize: 2, ...within(waiting) }), waiting);
    await found.next();
    expect(await open()).toBe(1);
    waiting.deadline = 0;
    await expect(found.next()).rejects.toMatchObject({ code: 'action_platform_unavailable' });
    expect(await open()).toBe(0);
  });

  test('prevents sending a command after its deadline', () => {
    expect(() => within(inMs(-1))).toThrow(expect.objectContaining({ code: 'action_platform_unavailable' }));
  });
});
