import { inBackground } from '@action-platform/contracts/calls';
import { DUPLICATE_KEY_CODE } from '@action-platform/mongo';
import { TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Collection, MongoClient } from 'mongodb';
import { PooledWrites } from './pooled-writes.ts';

const platform = new TestPlatform();
let client: MongoClient;
let documents: Collection<{ _id: string }>;
beforeAll(async () => {
  const database = await platform.database('record-store');
  client = database.client;
  documents = database.db.collection('records');
});
afterAll(() => platform.stop());

let pool: PooledWrites;
/** The number of writes in each command. */
let commands: number[];
let isBroken: boolean;
beforeEach(async () => {
  await documents.deleteMany();
  commands = [];
  isBroken = false;
  const bulkWrite: MongoClient['bulkWrite'] = async (models, options) => {
    commands.push(models.length);
    if (isBroken) throw new Error('connection lost');
    return await client.bulkWrite(models, options);
  };
  pool = new PooledWrites({ bulkWrite });
});

/** Inserts documents with these ids, in order; all sequences concurrently. */
function make(...sequences: string[][]) {
  return Promise.allSettled(
    sequences.map((ids) => pool.make({ writes: insertions(ids), bytes: 0 }, inBackground)),
  );
}

function insertions(ids: string[]) {
  return ids.map(
    (_id) => ({ name: 'insertOne', namespace: documents.namespace, document: { _id } }) as const,
  );
}

const stored = async () => (await documents.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
const made = { status: 'fulfilled', value: undefined };
const stoppedAt = (position: number) => ({
  status: 'fulfilled',
  value: expect.objectContaining({ position, code: DUPLICATE_KEY_CODE }),
});

test('concurrent sequences share one command', async () => {
  expect(await make(['a1', 'a2'], ['b1'], ['c1'])).toEqual([made, made, made]);
  expect(await stored()).toEqual(['a1', 'a2', 'b1', 'c1']);
  expect(commands).toEqual([4]);
});

test('sequences that stop get their position each, and do not stop the others', async () => {
  await make(['taken']);
  const found = await make(['taken'], ['b1', 'b2', 'taken', 'b3'], ['c1'], ['d1', 'taken'], ['e1']);
  expect(found).toEqual([stoppedAt(0), stoppedAt(2), made, stoppedAt(1), made]);
  expect(await stored()).toEqual(['b1', 'b2', 'c1', 'd1', 'e1', 'taken']);
});

test('a large sequence has a command of its own', async () => {
  const large = pool.make({ writes: insertions(['large']), bytes: 100_000 }, inBackground);
  await Promise.all([large, make(['a1'], ['b1'])]);
  expect(commands.toSorted()).toEqual([1, 2]);
});

test('when a command fails, the outcome of every sequence in it is unknown', async () => {
  isBroken = true;
  const unknown = { status: 'rejected', reason: new Error('connection lost') };
  expect(await make(['a1'], ['b1'])).toEqual([unknown, unknown]);
});
