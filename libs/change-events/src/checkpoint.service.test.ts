import { FailingMongod } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { Checkpoints } from './checkpoint.ts';

let mongod: FailingMongod;
let client: MongoClient;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  client = new MongoClient(mongod.url);
});
afterAll(async () => {
  await client.close();
  await mongod.stop();
});

test('another replica takes the tail at once when the renewal fails during which a replica leaves', async () => {
  const db = client.db('leaving');
  const [first, second] = [await Checkpoints.open(db), await Checkpoints.open(db)];
  await first.take();
  const admin = client.db('admin');
  const failPoint = 'failCommand';
  const failure = { errorCode: 2, blockConnection: true, blockTimeMS: 1_000 };
  const data = { failCommands: ['update'], namespace: 'leaving.tail', ...failure };
  const { count } = await admin.command({ configureFailPoint: failPoint, mode: { times: 1 }, data });
  await admin.command({ waitForFailPoint: failPoint, timesEntered: count + 1, maxTimeMS: 10_000 });
  await first.leave();
  expect(await second.take()).toBeDefined();
  await second.leave();
});
