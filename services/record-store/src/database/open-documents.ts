import type { Database } from '@action-platform/mongo';
import type { Documents } from './documents.ts';
import { createIndexes } from './indexes.ts';

/** Makes the service's database ready for use. */
export async function openDocuments({ client, db }: Database): Promise<Documents> {
  const documents: Documents = {
    client,
    collections: db.collection('collections'),
    records: db.collection('records'),
    revisions: db.collection('revisions'),
    usage: db.collection('usage'),
  };
  await createIndexes(documents);
  return documents;
}
