import { failureLevel } from '@action-platform/contracts/errors';
import type { Dependencies } from '../dependencies.ts';
import type { Tombstone } from '../storage/stored-head.ts';

/**
 * The time between a deletion and its second purge, in milliseconds. A replace that read the head before the deletion may
 * have sent a copy for the history that arrives after the first purge. No operation reads or counts such a copy, so
 * answers and quota are right without the second purge. The second purge ensures that no payload of a deleted Record stays stored.
 */
export const PURGE_AGAIN_AFTER_MS = 5 * 60_000;

/**
 * Releases the bytes of a deleted Record and removes its history; safe to repeat. The order matters, because the history
 * shows which reserved changes of the Record were made.
 *
 * @param mayGoOn whether it may remove a further part of a long history.
 */
export async function purge(
  { quota, revisions }: Pick<Dependencies, 'quota' | 'revisions'>,
  tombstone: Tombstone,
  mayGoOn: () => boolean,
): Promise<void> {
  await quota.settleDeleted(tombstone.workspace_id, tombstone._id);
  await revisions.removeAll(tombstone, mayGoOn);
}

/** The longest pause between two attempts, in milliseconds. */
const LONGEST_PAUSE_MS = 24 * 60 * 60_000;

/**
 * Purges the Records that are due for their second purge, and so finishes deletions that a crash interrupted, until the signal aborts. A
 * Record whose purge fails, or ends its process, delays no other; its next attempt comes after a pause that doubles.
 */
export async function purgeDue(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { heads } = dependencies;
  let due = await heads.dueForPurge(undefined);
  while (due.length > 0) {
    for (const tombstone of due) {
      if (signal.aborted) return;
      await purgeAgain(dependencies, tombstone, signal);
    }
    due = await heads.dueForPurge(due.at(-1)!.purge_at);
  }
}

async function purgeAgain(
  dependencies: Dependencies,
  tombstone: Tombstone,
  signal: AbortSignal,
): Promise<void> {
  const { heads, log } = dependencies;
  const { workspace_id: workspaceId, _id: recordId, purge_attempts: attempts = 0 } = tombstone;
  try {
    const pauseMs = Math.min(PURGE_AGAIN_AFTER_MS * 2 ** attempts, LONGEST_PAUSE_MS);
    if (!(await heads.beginPurge(tombstone, pauseMs))) return;
    await purge(dependencies, tombstone, () => !signal.aborted);
    if (!signal.aborted) await heads.markPurged(tombstone);
  } catch (err) {
    log[failureLevel(err)](
      { err, workspaceId, recordId, attempts: attempts + 1 },
      'purging a Record failed; it is repeated',
    );
  }
}
