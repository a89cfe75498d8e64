import type { Collection } from '@action-platform/contracts';

/** A Collection as it is stored. It is never changed and never removed. */
export interface CollectionDocument {
  _id: string;
  workspace_id: string;
  name: string;
  description: string;
  member_writes_enabled: boolean;
  created_at: Date;
  created_by: string;
}

/** A Collection as callers see it. */
export function toCollection(document: CollectionDocument): Collection {
  const { _id, name, description, member_writes_enabled, created_at, created_by } = document;
  return {
    id: _id,
    name,
    description,
    member_writes_enabled,
    created_at: created_at.toISOString(),
    created_by,
  };
}
