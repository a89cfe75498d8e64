import type { Documents } from './documents.ts';

/**
 * Creates the indexes that do not exist yet; every query of the service uses one of them or the index on `_id`.
 *
 * `workspace_id` leads, and is in the filter of every query that a caller waits for, because it is the shard key:
 * all that one call touches is then on one shard. A unique index on a sharded collection must begin with the whole
 * shard key, so the key is `{ workspace_id: 1 }` alone (for `usage`, whose ids are Workspaces, `{ _id: 1 }`), and
 * one Workspace is as large as one shard can hold. The last two indexes serve the repair pass, which asks all shards.
 */
export async function createIndexes({ collections, records, revisions, usage }: Documents): Promise<void> {
  await Promise.all([
    collections.createIndexes([
      { key: { workspace_id: 1, name: 1 }, unique: true },
      { key: { workspace_id: 1, _id: 1 } },
    ]),
    records.createIndexes([
      { key: { workspace_id: 1, collection_id: 1, state: 1, _id: 1 } },
      {
        key: { workspace_id: 1, collection_id: 1, push_key: 1 },
        unique: true,
        partialFilterExpression: { push_key: { $exists: true } },
      },
      { key: { purge_at: 1 }, sparse: true },
    ]),
    revisions.createIndexes([
      { key: { workspace_id: 1, record_id: 1, version: 1 }, unique: true },
      { key: { workspace_id: 1, record_id: 1, key: 1 }, partialFilterExpression: { key: { $exists: true } } },
    ]),
    usage.createIndexes([{ key: { pending_since: 1 }, sparse: true }]),
  ]);
}
