import type { Timed } from '@action-platform/contracts/calls';
import { counts } from '@action-platform/telemetry';
import type { Dependencies } from '../dependencies.ts';
import { atOneTime } from '../storage/snapshot.ts';

/** The result of a recount, in bytes. */
export interface Recount {
  quotaBytes: number;
  /** The bytes that the Workspace stores. */
  storedBytes: number;
  /** The stored bytes minus the recorded bytes before the correction. */
  driftBytes: number;
}

const drifted = counts('quota.drift');

/** Sets the drift counter to zero in both directions: a counter that begins with a drift shows no increase. */
export function initializeDriftCounter(): void {
  for (const counted of ['too little', 'too much']) drifted(0, { counted });
}

/**
 * Sums the stored bytes and revisions of a Workspace, and corrects its usage if that differs. `recount` reads both at one point in
 * time, reservations included, so writes continue meanwhile. The difference stays the same until it is corrected, and
 * concurrent recounts correct it once.
 */
export async function recount(
  { client, collections, heads, usages, log }: Dependencies,
  workspaceId: string,
  timed: Timed,
): Promise<Recount> {
  for (;;) {
    const { usage, stored } = await atOneTime(client, async (snapshot) => {
      const usage = await usages.show(workspaceId, timed, snapshot);
      const stored = { bytes: 0, revisions: 0 };
      // A Collection that is created from now on has no Record at that point in time.
      for (const collectionId of await collections.ids(workspaceId, timed)) {
        const { bytes, revisions } = await heads.sum({ workspaceId, collectionId }, snapshot, timed);
        stored.bytes += bytes;
        stored.revisions += revisions;
      }
      return { usage, stored };
    });
    const driftBytes = stored.bytes - usage.storedBytes;
    const drift = { bytes: driftBytes, revisions: stored.revisions - usage.revisions };
    const found = { quotaBytes: usage.quotaBytes, storedBytes: stored.bytes, driftBytes };
    if (drift.bytes === 0 && drift.revisions === 0) return found;
    if (await usages.correct(workspaceId, drift, usage, timed)) {
      // Revisions may drift when a replica crashes, and while it writes.
      if (driftBytes === 0) return found;
      log.warn(
        { workspaceId, driftBytes },
        'corrected the usage of a Workspace, which had drifted from its stored bytes',
      );
      drifted(Math.abs(driftBytes), { counted: driftBytes > 0 ? 'too little' : 'too much' });
      return found;
    }
    // Another recount has corrected the usage first, so this recount sums again.
  }
}
