import { type ClientSession, type Document, MongoClient } from 'mongodb';

/** A copy of a service's database: the documents of each collection, with the types of their numbers. */
export type DatabaseCopy = ReadonlyMap<string, readonly Document[]>;

/** Keeps the difference of 1 and 1.0, which plain numbers lose. */
const exact = { promoteValues: false, promoteLongs: false } as const;

/** Copies a database as it is at one moment, while it is written. */
export async function copyDatabase(url: string, name: string): Promise<DatabaseCopy> {
  const client = await new MongoClient(url).connect();
  try {
    const db = client.db(name);
    const names = (await db.collections()).map(({ collectionName }) => collectionName);
    return await client.withSession({ snapshot: true }, async (session: ClientSession) => {
      const copy = new Map<string, Document[]>();
      for (const collection of names)
        copy.set(
          collection,
          await db
            .collection(collection)
            .find({}, { session, ...exact })
            .toArray(),
        );
      return copy;
    });
  } finally {
    await client.close();
  }
}

/** Sets a database back to a copy; its indexes stay. No service may use it meanwhile. */
export async function setBack(url: string, name: string, copy: DatabaseCopy): Promise<void> {
  const client = await new MongoClient(url).connect();
  try {
    for (const collection of await client.db(name).collections()) {
      const documents = copy.get(collection.collectionName) ?? [];
      await collection.deleteMany({});
      if (documents.length > 0) await collection.insertMany([...documents]);
    }
  } finally {
    await client.close();
  }
}
