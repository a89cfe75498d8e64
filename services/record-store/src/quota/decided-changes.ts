import { ATTEMPT_OVER_AFTER_MS } from '../attempts/attempt.ts';
import type { Documents } from '../database/documents.ts';
import { fatesOf } from './fates.ts';
import { type PendingChange, type Settlement, settlementOf } from './usage-document.ts';

/**
 * The pending changes of a Workspace, or of one of its Records, whose fate is decided, whoever booked them: they were
 * made, or cannot be made any more, if only because the attempt to do so is over.
 */
export async function decidedChanges(
  documents: Documents,
  workspaceId: string,
  recordId?: string,
): Promise<Map<string, Settlement>> {
  const { pending, now } = await pendingChanges(documents, workspaceId);
  const changes = pending.filter(({ record_id }) => recordId === undefined || record_id === recordId);
  const fates = await fatesOf(documents, workspaceId, changes);
  const isOver = ({ at }: PendingChange) => now.getTime() - at.getTime() > ATTEMPT_OVER_AFTER_MS;
  return new Map(
    changes
      .filter((change) => fates.get(change.write_id) !== 'open' || isOver(change))
      .map((change) => [change.write_id, settlementOf(change, fates.get(change.write_id) === 'made')]),
  );
}

/** The pending changes with the time of the database, by whose clock they were booked. */
async function pendingChanges({ usage }: Documents, workspaceId: string) {
  const found = await usage
    .find({ _id: workspaceId })
    .project<{ pending: PendingChange[]; now: Date }>({ pending: 1, now: '$$NOW' })
    .next();
  return found ?? { pending: [], now: new Date() };
}
