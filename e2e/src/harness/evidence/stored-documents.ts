import { services } from '@action-platform/contracts/services';
import { BSON } from 'mongodb';
import { databaseUrl } from '../../local-platform.ts';
import { withMongo } from '../../with-mongo.ts';

/** The documents in all databases of a local stack that mention one of these texts: `service.collection` and the document, sorted. */
export async function documentsWith(directory: string, ...texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const service of services)
    await withMongo(databaseUrl(directory, service), async (client) => {
      for (const collection of await client.db(service).collections())
        for await (const document of collection.find()) {
          const text = BSON.EJSON.stringify(document);
          if (texts.some((one) => text.includes(one))) found.push(`${collection.namespace} ${text}`);
        }
    });
  return found.toSorted();
}
