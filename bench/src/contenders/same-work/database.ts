import { type Collection, type Db, MongoClient } from 'mongodb';

/** A Member of a Workspace. */
export interface StoredMember {
  /** `<workspace>/<user>` */
  readonly _id: string;
  readonly role: 'owner' | 'member';
}

export interface StoredCollection {
  readonly _id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly member_writes_enabled: boolean;
  readonly created_at: Date;
  readonly created_by: string;
}

export interface StoredRecord {
  readonly _id: string;
  readonly workspace_id: string;
  readonly collection_id: string;
  readonly version: number;
  readonly state: 'active';
  readonly payload: object;
  readonly bytes: number;
  readonly created_at: Date;
  readonly created_by: string;
  readonly updated_at: Date;
  readonly updated_by: string;
  readonly push_key?: string;
}

/** An earlier revision of a Record. */
export interface StoredRevision {
  /** `<record>/<version>` */
  readonly _id: string;
  readonly record_id: string;
  readonly version: number;
  readonly payload: object;
  readonly created_at: Date;
  readonly created_by: string;
}

/** The used part of a Workspace's quota; created with the Workspace, under its id. */
export interface StoredUsage {
  readonly _id: string;
  readonly stored_bytes: number;
}

/** The collections of a contender. */
export interface Database {
  readonly members: Collection<StoredMember>;
  readonly collections: Collection<StoredCollection>;
  readonly records: Collection<StoredRecord>;
  readonly revisions: Collection<StoredRevision>;
  readonly usage: Collection<StoredUsage>;
}

/** Opens the database of a contender: majority, journal and indexes as the platform has them, otherwise the driver's defaults. */
export async function openDatabase(
  url: string,
  name: string,
): Promise<Database & { close(): Promise<void> }> {
  const client = new MongoClient(url, {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  });
  await client.connect();
  const database = collectionsOf(client.db(name));
  await database.records.createIndexes([
    { key: { workspace_id: 1, collection_id: 1, state: 1, _id: 1 } },
    {
      key: { workspace_id: 1, collection_id: 1, push_key: 1 },
      unique: true,
      partialFilterExpression: { push_key: { $exists: true } },
    },
  ]);
  await database.revisions.createIndex({ record_id: 1, version: 1 }, { unique: true });
  await database.collections.createIndex({ workspace_id: 1, name: 1 }, { unique: true });
  return { ...database, close: () => client.close() };
}

function collectionsOf(db: Db): Database {
  return {
    members: db.collection('members'),
    collections: db.collection('collections'),
    records: db.collection('records'),
    revisions: db.collection('revisions'),
    usage: db.collection('usage'),
  };
}
