import { MongoClient } from 'mongodb';

/** Does work with a MongoDB client, and closes it. */
export async function withMongo<Result>(
  url: string,
  work: (client: MongoClient) => Promise<Result>,
): Promise<Result> {
  const client = await new MongoClient(url).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
