import type { Documents } from '../database/documents.ts';
import { fatesOf } from './fates.ts';
import { settlementOf } from './usage-document.ts';

/** The quota that was set for a Workspace, if any, and what the Workspace stores, in bytes. */
export interface Usage {
  quotaBytes: number | undefined;
  storedBytes: number;
}

/**
 * The usage of a Workspace at one point in time. What is booked and was not stored by then is left out, so the
 * answer is right whatever is under way and whatever a crash has left.
 */
export async function usageNow(documents: Documents, workspaceId: string): Promise<Usage> {
  const session = documents.client.startSession({ snapshot: true });
  try {
    const snapshot = { session, readConcern: { level: 'snapshot' } } as const;
    const usage = await documents.usage.findOne({ _id: workspaceId }, snapshot);
    if (usage === null) return { quotaBytes: undefined, storedBytes: 0 };
    const fates = await fatesOf(documents, workspaceId, usage.pending, snapshot);
    const givenBack = usage.pending.filter(
      (change) => settlementOf(change, fates.get(change.write_id) === 'made') === 'given back',
    );
    const storedBytes = givenBack.reduce((stored, { bytes }) => stored - bytes, usage.stored_bytes);
    return { quotaBytes: usage.quota_bytes, storedBytes };
  } finally {
    await session.endSession();
  }
}
