import type { Collection, MongoClient } from 'mongodb';
import type { CollectionDocument } from '../collections/collection-document.ts';
import type { UsageDocument } from '../quota/usage-document.ts';
import type { Head } from '../records/head.ts';
import type { RevisionDocument } from '../revisions/revision-document.ts';

/** What the service keeps in its database. */
export interface Documents {
  readonly client: MongoClient;
  readonly collections: Collection<CollectionDocument>;
  readonly records: Collection<Head>;
  readonly revisions: Collection<RevisionDocument>;
  readonly usage: Collection<UsageDocument>;
}
