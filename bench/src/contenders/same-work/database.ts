import { randomUUID } from 'node:crypto';
import { type Collection, MongoClient } from 'mongodb';

interface StoredMember {
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
  readonly push_key?: string;
}

/** The used part of a Workspace's quota; created with the Workspace, under its id. */
interface StoredUsage {
  readonly _id: string;
  readonly stored_bytes: number;
}

export interface Database {
  readonly members: Collection<StoredMember>;
  readonly collections: Collection<StoredCollection>;
  readonly records: Collection<StoredRecord>;
  readonly usage: Collection<StoredUsage>;
  /** Creates a Workspace with an Owner; returns its id. */
  createWorkspace(owner: string): Promise<string>;
  close(): Promise<void>;
}

/** Opens the database of a peer: majority, journal and indexes as the platform has them, otherwise the driver's defaults. */
export async function openDatabase(url: string, name: string): Promise<Database> {
  const client = new MongoClient(url, {
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    ignoreUndefined: true,
  });
  await client.connect();
  const db = client.db(name);
  const members = db.collection<StoredMember>('members');
  const usage = db.collection<StoredUsage>('usage');
  const collections = db.collection<StoredCollection>('collections');
  const records = db.collection<StoredRecord>('records');
  await records.createIndexes([
    { key: { workspace_id: 1, collection_id: 1, state: 1, _id: 1 } },
    {
      key: { workspace_id: 1, collection_id: 1, push_key: 1 },
      unique: true,
      partialFilterExpression: { push_key: { $exists: true } },
    },
  ]);
  await collections.createIndex({ workspace_id: 1, name: 1 }, { unique: true });
  const createWorkspace = async (owner: string) => {
    const id = `ws_${randomUUID()}`;
    await members.insertOne({ _id: `${id}/${owner}`, role: 'owner' });
    await usage.insertOne({ _id: id, stored_bytes: 0 });
    return id;
  };
  return { members, usage, collections, records, createWorkspace, close: () => client.close() };
}
