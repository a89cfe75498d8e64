import type { RecordStore } from '../store.ts';
import type { Tombstone } from './head.ts';

/**
 * Gives back the bytes of a deleted Record, once however often it is done, and removes its history. The order
 * matters: which of the pending changes of the Record were made is told from its history.
 */
export async function purge(
  { quota, revisions }: RecordStore,
  { workspace_id, _id }: Tombstone,
): Promise<void> {
  await quota.settleDeleted(workspace_id, _id);
  await revisions.removeAll(workspace_id, _id);
}

/**
 * Purges the Records that were deleted long enough ago that nobody can still add to their history, as an attempt
 * could that saw the Record alive. It also finishes what was cut off by a crash.
 */
export async function purgeAll(store: RecordStore): Promise<void> {
  const { records } = store.documents;
  const due = records.find({ purge_at: { $lte: new Date() } }, { sort: { purge_at: 1 } });
  for await (const tombstone of due) {
    const { workspace_id, _id } = tombstone;
    await purge(store, tombstone as Tombstone);
    await records.updateOne({ workspace_id, _id }, { $unset: { purge_at: 1 } });
  }
}
