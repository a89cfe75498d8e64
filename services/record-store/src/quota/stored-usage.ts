import type { Timed } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';
import type { Snapshot } from '../storage/snapshot.ts';

/** How many bytes of Records a Workspace stores. */
export interface StoredUsage {
  /** The Workspace's id. */
  _id: string;
  /** Absent until an operator sets it; then the default applies. */
  quota_bytes?: number;
  /** UTF-8 bytes of the payloads of all kept revisions, those in `reservations` included as their kind says. */
  stored_bytes: number;
  /** Changes whose outcome is not entered yet. */
  reservations: StoredReservation[];
  /** The oldest `at` of `reservations`; absent when there are none. */
  reserved_since?: Date;
  /** How often a recount has mended `stored_bytes`; absent until the first time. */
  mended?: number;
  /** When the last recount of the background began; absent until the first. */
  recounted_at?: Date;
}

/** A change of a Workspace's stored bytes, entered before the write that makes it. */
export interface ReservedChange {
  /**
   * A new revision's bytes are counted from the start, and released if it is not made. A deletion's bytes are those
   * of the whole history, and released once it is made.
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

/** The known outcome of a reserved change; one in doubt was not made, and may still be. */
export type ChangeOutcome = Decision | 'in doubt';

/** Finds and decides the outcomes of reserved changes. The quota itself knows nothing of Records. */
export interface ChangeOutcomes {
  /** The outcomes by write id, with a snapshot those of its point in time. */
  find(
    workspaceId: string,
    changes: readonly ReservedChange[],
    timed: Timed,
    snapshot?: Snapshot,
  ): Promise<Map<string, ChangeOutcome>>;
  /** The outcomes, after making every change in doubt impossible that has not been made. */
  decide(workspaceId: string, changes: readonly ReservedChange[]): Promise<Map<string, ChangeOutcome>>;
}

/** Opens where the usage of Workspaces is stored, with the indexes it needs: both serve the background's work. */
export async function openUsage(db: Db): Promise<Collection<StoredUsage>> {
  const usage = db.collection<StoredUsage>('usage');
  await usage.createIndexes([{ key: { reserved_since: 1 }, sparse: true }, { key: { recounted_at: 1 } }]);
  return usage;
}
