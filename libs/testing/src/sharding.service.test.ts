import type { Database, StoredDocuments } from '@action-platform/mongo';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { profiled } from './query-plans.ts';
import { shardingProblems } from './sharding.ts';
import { openTestDatabase } from './test-database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase('sharding');
});
afterAll(() => database.close());

const declared: StoredDocuments[] = [
  { collection: 'things', shardKey: 'workspace_id' },
  { collection: 'apart', shardKey: { unsharded: 'for this test' } },
];

test('finds queries without the shard key, unique indexes that do not begin with it, undeclared collections, and undocumented ones', async () => {
  const { db, client } = database;
  const things = db.collection<{ _id: string; workspace_id: string; n: number }>('things');
  const apart = db.collection('apart');
  await things.createIndex({ workspace_id: 1, n: 1 }, { unique: true });
  await apart.createIndex({ n: 1 }, { unique: true });
  await things.insertOne({ _id: 'a', workspace_id: 'w', n: 1 });
  const problems = async (work: () => Promise<unknown>) =>
    await shardingProblems('procedures', database, declared, await profiled(database, work));
  const workspace_id = 'w';
  const { namespace } = things;

  expect(
    await problems(async () => {
      await things.find({ workspace_id: { $in: ['w'] }, _id: 'a' }).toArray();
      await things.countDocuments({ $and: [{ workspace_id }, { n: 1 }] });
      await things.updateOne({ workspace_id, _id: 'a' }, { $set: { n: 2 } });
      await apart.findOne({ n: 1 });
    }),
  ).toEqual([
    'docs/scaling.md has no row | procedures | `things` | `workspace_id` |',
    'docs/scaling.md has no row | procedures | `apart` | not sharded: for this test |',
  ]);
  expect(
    await problems(async () => {
      await things.find({ _id: 'a' }).toArray();
      await things.countDocuments({ n: 1 });
      await things.updateOne({ _id: 'a' }, { $set: { n: 2 } });
      await things.findOneAndUpdate({ _id: 'a' }, { $set: { n: 3 } });
      await client.bulkWrite([{ name: 'deleteOne', namespace, filter: { _id: 'b' as never } }]);
      await things.deleteOne({ _id: 'b' });
    }),
  ).toEqual(
    expect.arrayContaining(
      [
        'query by _id',
        'aggregate by n',
        'update by _id',
        'findAndModify by _id',
        'bulkWrite by _id',
        'remove by _id',
      ].map((query) => `things: ${query} is without workspace_id`),
    ),
  );
  await things.createIndex({ n: 1 }, { name: 'number', unique: true });
  await db.collection('forgotten').insertOne({});
  expect(await problems(async () => {})).toEqual(
    expect.arrayContaining([
      'forgotten is not declared',
      'things: the unique index number does not begin with workspace_id',
    ]),
  );
});
