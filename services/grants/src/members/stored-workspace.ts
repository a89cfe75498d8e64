import type { Collection, Db } from 'mongodb';

/** A Workspace. It is never deleted. */
export interface StoredWorkspace {
  /** `ws_…` */
  readonly _id: string;
  readonly name: string;
  readonly created_at: Date;
}

/** The Workspaces, found by their `_id` alone. */
export function openWorkspaces(db: Db): Collection<StoredWorkspace> {
  return db.collection('workspaces');
}
