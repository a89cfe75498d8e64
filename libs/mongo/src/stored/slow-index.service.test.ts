import { FailingMongod } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openIndexed } from './open-indexed.ts';

let mongod: FailingMongod;
let client: MongoClient;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  client = new MongoClient(mongod.url, { socketTimeoutMS: 200 });
});
afterAll(async () => {
  await client.close();
  await mongod.stop();
});

test('an index may take longer to build than the longest wait for an answer', async () => {
  const declaration = { collection: 'things', shardKey: '_id', indexes: [{ key: { name: 1 } }] } as const;
  const failure = { blockConnection: true, blockTimeMS: 1_000 } as const;
  await mongod.whileFailing({ command: 'createIndexes', failure }, () =>
    openIndexed(client.db('slow-index'), declaration),
  );
  const unhurried = await MongoClient.connect(mongod.url);
  expect(await unhurried.db('slow-index').collection('things').indexExists('name_1')).toBe(true);
  await unhurried.close();
});
