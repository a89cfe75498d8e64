import { FailingMongod } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { ChangeStream } from './change-stream.ts';

let mongod: FailingMongod;
let client: MongoClient;
beforeAll(async () => {
  mongod = await FailingMongod.start();
  client = new MongoClient(mongod.url, { socketTimeoutMS: 1_000 });
});
afterAll(async () => {
  await client.close();
  await mongod.stop();
});

test('the database may pass writes to others for longer than a command waits for an answer, until its replica stops', async () => {
  const db = client.db('behind');
  const { operationTime: startAtOperationTime } = await db.command({ ping: 1 });
  await db.collection('things').insertOne({});
  const followed = [{ collection: 'things', fields: [], changesOf: () => [] }];
  const open = () => ChangeStream.open(db, followed, { startAtOperationTime });
  const [stream, other] = [await open(), await open()];
  const failure = { blockConnection: true, blockTimeMS: 2_000 } as const;
  const stopping = new AbortController();
  await mongod.whileFailing({ command: 'getMore', failure }, async () => {
    expect((await stream.next(stopping.signal)).changes).toHaveLength(1);
    const stopped = expect(other.next(stopping.signal)).rejects.toThrow('stopped');
    stopping.abort(new Error('stopped'));
    await stopped;
  });
  await stream.close();
});
