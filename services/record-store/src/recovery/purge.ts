import type { Dependencies } from '../dependencies.ts';
import type { Tombstone } from '../storage/stored-head.ts';

/**
 * How long after a deletion the Record's history is looked for once more, in milliseconds. A replace that saw the
 * Record alive may have sent a copy for its history that arrives after the purge. Nothing reads, counts or shows such
 * a copy: every answer and the quota are right without the second look, and nothing waits for it. It is there so that
 * no payload of a deleted Record is left behind.
 */
export const PURGE_AGAIN_AFTER_MS = 5 * 60_000;

/**
 * Gives back the bytes of a deleted Record, once however often it is done, and removes its history. The order
 * matters: the history shows which reserved changes of the Record were made.
 */
export async function purge(
  { quota, revisions }: Pick<Dependencies, 'quota' | 'revisions'>,
  { workspace_id, _id }: Tombstone,
): Promise<void> {
  await quota.settleDeleted(workspace_id, _id);
  await revisions.removeAll(workspace_id, _id);
}

/** Purges once more the Records whose time for it has come, and so finishes what a crash has cut off. */
export async function purgeDue(dependencies: Dependencies): Promise<void> {
  for await (const tombstone of dependencies.heads.dueForPurge()) {
    await purge(dependencies, tombstone);
    await dependencies.heads.markPurged(tombstone);
  }
}
