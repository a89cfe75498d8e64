import type { Timed } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';
import type { Snapshot } from '../storage/snapshot.ts';

/** The usage of a Workspace: the bytes of Records it stores. */
export interface StoredUsage {
  /** The Workspace's id. */
  _id: string;
  /** Absent until an operator sets it; until then the default applies. */
  quota_bytes?: number;
  /** UTF-8 bytes of the payloads of all kept revisions, including those in `reservations` (see `kind`). */
  stored_bytes: number;
  /** Changes whose outcomes have not been entered yet. */
  reservations: StoredReservation[];
  /** The oldest `at` of `reservations`; absent without reservations. */
  reserved_since?: Date;
  /** The number of recounts that corrected `stored_bytes`; absent until the first. */
  corrections?: number;
  /** The start of the last recount in the background; absent until the first. */
  recounted_at?: Date;
}

/** A change of a Workspace's stored bytes, entered before the write that makes it. */
export interface ReservedChange {
  /**
   * The bytes of a new revision count from the reservation on, and are released if it is not made. The bytes of a
   * deletion are those of the whole history, and are released once it is made.
   */
  kind: 'revision' | 'deletion';
  /** The write that makes the change. */
  write_id: string;
  record_id: string;
  /** The version that the write makes or deletes. */
  version: number;
  bytes: number;
}

/** A reserved change as it is stored. */
export interface StoredReservation extends ReservedChange {
  /** When it was reserved, by the clock of the database. */
  at: Date;
}

/** The final outcome of a reserved change. */
export type Decision = 'committed' | 'aborted';

/** The known outcome of a reserved change. A change in doubt has not been made, and may still be. */
export type ChangeOutcome = Decision | 'in doubt';

/** Finds and decides the outcomes of reserved changes, so that the quota does not depend on Records. */
export interface ChangeOutcomes {
  /** The outcomes by write id, now or at the snapshot's point in time. */
  find(
    workspaceId: string,
    changes: readonly ReservedChange[],
    timed: Timed,
    snapshot?: Snapshot,
  ): Promise<Map<string, ChangeOutcome>>;
  /** Makes it impossible for changes in doubt to be made later. Returns the outcomes by write id. */
  decide(workspaceId: string, changes: readonly ReservedChange[]): Promise<Map<string, ChangeOutcome>>;
}

/** Opens the collection of the Workspaces' usage, with its indexes; only background work uses them. */
export async function openUsage(db: Db): Promise<Collection<StoredUsage>> {
  const usage = db.collection<StoredUsage>('usage');
  await usage.createIndexes([{ key: { reserved_since: 1 }, sparse: true }, { key: { recounted_at: 1 } }]);
  return usage;
}
