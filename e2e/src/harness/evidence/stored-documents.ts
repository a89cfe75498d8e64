import { services } from '@action-platform/contracts';
import { BSON, MongoClient } from 'mongodb';
import { databaseUrl } from '../../stack-process.ts';

/** The documents in all databases of a local stack that mention one of these texts: `service.collection` and the document, sorted. */
export async function documentsWith(directory: string, ...texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const service of services) {
    const client = await new MongoClient(databaseUrl(directory, service)).connect();
    for (const { collectionName, namespace } of await client.db(service).collections()) {
      for await (const document of client.db(service).collection(collectionName).find()) {
        const text = BSON.EJSON.stringify(document);
        if (texts.some((one) => text.includes(one))) found.push(`${namespace} ${text}`);
      }
    }
    await client.close();
  }
  return found.toSorted();
}
