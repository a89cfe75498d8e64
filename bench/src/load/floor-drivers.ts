import { connect } from '@nats-io/transport-node';
import { type Collection, MongoClient } from 'mongodb';
import type { Driver, Send } from './load.ts';

/** Request and reply over one NATS connection, as a gateway would have it. */
export async function natsDriver(url: string, subject: string): Promise<Driver> {
  const connection = await connect({ servers: url, noAsyncTraces: true });
  return {
    client: async () => async (_template, body) => {
      await connection.request(subject, body, { timeout: 10_000 });
    },
    close: () => connection.drain(),
  };
}

interface Stored {
  readonly payload: string;
}

/** Inserts at majority with journal: one by one, or all waiting ones as one `insertMany`. */
export async function mongodDriver(url: string, database: string, grouped: boolean): Promise<Driver> {
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  await client.connect();
  const collection = client.db(database).collection<Stored>('floor');
  const send: Send = grouped
    ? groupCommit(collection)
    : async (_template, payload) => {
        await collection.insertOne({ payload });
      };
  return { client: async () => send, close: () => client.close() };
}

/** A simple group commit: one batch at a time, of the inserts that arrived during the one before. */
function groupCommit(collection: Collection<Stored>): Send {
  let waiting: Stored[] = [];
  let next: Promise<unknown> | undefined;
  let written: Promise<unknown> = Promise.resolve();
  const writeWaiting = () => {
    const batch = waiting;
    waiting = [];
    next = undefined;
    const writing = collection.insertMany(batch, { ordered: false });
    written = writing.catch(() => undefined);
    return writing;
  };
  return async (_template, payload) => {
    waiting.push({ payload });
    next ??= written.then(writeWaiting);
    await next;
  };
}
