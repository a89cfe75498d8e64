import type { Collection } from '@action-platform/contracts';
import type { Db, Collection as MongoCollection } from 'mongodb';

/** A stored Collection. The service never changes or removes it. */
export interface StoredCollection {
  _id: string;
  workspace_id: string;
  name: string;
  description: string;
  member_writes_enabled: boolean;
  created_at: Date;
  created_by: string;
}

/** Opens the database's collection of Collections, with its indexes. */
export async function openCollections(db: Db): Promise<MongoCollection<StoredCollection>> {
  const collections = db.collection<StoredCollection>('collections');
  await collections.createIndexes([
    { key: { workspace_id: 1, name: 1 }, unique: true },
    { key: { workspace_id: 1, _id: 1 } },
  ]);
  return collections;
}

/** A Collection as callers see it. */
export function describeCollection(stored: StoredCollection): Collection {
  const { _id, name, description, member_writes_enabled, created_at, created_by } = stored;
  return {
    id: _id,
    name,
    description,
    member_writes_enabled,
    created_at: created_at.toISOString(),
    created_by,
  };
}
