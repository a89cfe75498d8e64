import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { services } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import { localDirectory } from '@action-platform/local';
import { BSON, MongoClient } from 'mongodb';

/** The documents in all databases of a local stack that mention one of these texts: `service.collection` and the document, sorted. */
export async function documentsWith(directory: string, ...texts: readonly string[]): Promise<string[]> {
  const { keys } = localDirectory({ LOCAL_DIR: directory });
  const found: string[] = [];
  for (const service of services) {
    const url = readFileSync(join(keys, paths.databaseUrl(service)), 'utf8').trim();
    const client = await new MongoClient(url).connect();
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
