import type { Timed } from '@action-platform/contracts';
import { counts } from '@action-platform/telemetry';
import type { Dependencies } from '../dependencies.ts';
import { atOneTime } from '../storage/snapshot.ts';

/** The result of a recount, in bytes. */
export interface Recount {
  quotaBytes: number;
  /** The bytes that the Workspace stores. */
  storedBytes: number;
  /** By how much it was taken to store less, and has been mended. */
  driftBytes: number;
}

const drifted = counts('quota.drift');

/** Sets the drift counter to zero in both directions: a counter that begins with a drift shows no increase. */
export function initializeDriftCounter(): void {
  for (const counted of ['too little', 'too much']) drifted(0, { counted });
}

/**
 * Sums what a Workspace stores, and mends its usage if that has drifted from it. Both are read at one point in time,
 * reservations included, so writes go on meanwhile. A drift is no less true when it is mended a moment later, and it
 * is mended once, however many recounts find it.
 */
export async function recount(
  { client, collections, heads, usages, log }: Dependencies,
  workspaceId: string,
  timed: Timed,
): Promise<Recount> {
  for (;;) {
    const { usage, storedBytes } = await atOneTime(client, async (snapshot) => {
      const usage = await usages.show(workspaceId, timed, snapshot);
      let storedBytes = 0;
      // One that is created from here on has no Record at that time.
      for await (const collectionId of collections.ids(workspaceId, timed)) {
        storedBytes += await heads.storedBytes({ workspaceId, collectionId }, snapshot, timed);
      }
      return { usage, storedBytes };
    });
    const driftBytes = storedBytes - usage.storedBytes;
    const found = { quotaBytes: usage.quotaBytes, storedBytes, driftBytes };
    if (driftBytes === 0) return found;
    if (await usages.mend(workspaceId, driftBytes, usage, timed)) {
      log.warn(
        { workspaceId, driftBytes },
        'the usage of a Workspace had drifted from what it stores; mended',
      );
      drifted(Math.abs(driftBytes), { counted: driftBytes > 0 ? 'too little' : 'too much' });
      return found;
    }
    // Another recount has mended it first: this one looks again.
  }
}
