import { follow, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { Collection } from '@action-platform/contracts/operations';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** A stored Collection. The service never changes it, and removes it with its Workspace alone. */
export interface StoredCollection {
  _id: string;
  workspace_id: string;
  name: string;
  description: string;
  member_writes_enabled: boolean;
  created_at: Date;
  created_by: string;
  /** Where its creation came from. */
  origin: Origin;
}

export const storedCollections: StoredDocuments<StoredCollection> = {
  collection: 'collections',
  shardKey: 'workspace_id',
  indexes: [{ key: { workspace_id: 1, name: 1 }, unique: true }, { key: { workspace_id: 1, _id: 1 } }],
  ofWorkspace: byWorkspace,
  exported: { type: 'collection', order: { _id: 1 }, data: describeCollection },
};

/** The changes of Collections: their creation. */
export const collectionChanges = follow(storedCollections, {
  fields: ['workspace_id', 'created_at', 'origin'],
  changesOf: ({ _id, workspace_id: workspaceId, created_at: time, origin }) => {
    const data = { collection_id: _id, ...madeBy(origin) };
    return [{ workspaceId, type: 'collection.created', subject: _id, time, data }];
  },
});

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
