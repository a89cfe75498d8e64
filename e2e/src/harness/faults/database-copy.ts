import type { ClientSession, Document } from 'mongodb';
import { withMongo } from '../../with-mongo.ts';

/** A copy of a service's database: the documents of each collection, with the types of their numbers. */
export type DatabaseCopy = ReadonlyMap<string, readonly Document[]>;

/** Keeps the difference of 1 and 1.0, which plain numbers lose. */
const exact = { promoteValues: false, promoteLongs: false } as const;

/** Copies a database as it is at one moment, while it is written. */
export async function copyDatabase(url: string, name: string): Promise<DatabaseCopy> {
  return await withMongo(url, async (client) => {
    const collections = await client.db(name).collections();
    return await client.withSession({ snapshot: true }, async (session: ClientSession) => {
      const copy = new Map<string, Document[]>();
      for (const collection of collections) {
        const documents = collection.find({}, { session, ...exact });
        copy.set(collection.collectionName, await documents.toArray());
      }
      return copy;
    });
  });
}

/** Sets a database back to a copy; its indexes stay. No service may use it meanwhile. */
export async function setBack(url: string, name: string, copy: DatabaseCopy): Promise<void> {
  await withMongo(url, async (client) => {
    for (const collection of await client.db(name).collections()) {
      const documents = copy.get(collection.collectionName) ?? [];
      await collection.deleteMany({});
      if (documents.length > 0) await collection.insertMany([...documents]);
    }
  });
}
