import type { Dependencies } from '../dependencies.ts';
import type { Tombstone } from '../storage/stored-head.ts';

/**
 * The time between a deletion and its second purge, in milliseconds. A replace that read the head before the deletion may
 * have sent a copy for the history that arrives after the first purge. No operation reads or counts such a copy, so
 * answers and quota are right without the second purge. It ensures that no payload of a deleted Record stays stored.
 */
export const PURGE_AGAIN_AFTER_MS = 5 * 60_000;

/**
 * Releases the bytes of a deleted Record and removes its history; safe to repeat. The order matters, because the history
 * shows which reserved changes of the Record were made.
 */
export async function purge(
  { quota, revisions }: Pick<Dependencies, 'quota' | 'revisions'>,
  { workspace_id, _id }: Tombstone,
): Promise<void> {
  await quota.settleDeleted(workspace_id, _id);
  await revisions.removeAll(workspace_id, _id);
}

/** Purges the Records that are due for their second purge, and so finishes deletions that a crash interrupted. */
export async function purgeDue(dependencies: Dependencies): Promise<void> {
  for await (const tombstone of dependencies.heads.dueForPurge()) {
    await purge(dependencies, tombstone);
    await dependencies.heads.markPurged(tombstone);
  }
}
