import type { Timed } from '@action-platform/contracts/calls';
import type { StoredDocuments } from '@action-platform/mongo';
import type { Snapshot } from '../storage/snapshot.ts';

/** The usage of a Workspace: the bytes of Records it stores. */
export interface StoredUsage {
  /** The Workspace's id. */
  _id: string;
  /** Absent until an operator sets it; until then the default applies. */
  quota_bytes?: number;
  /** UTF-8 bytes of the payloads of all kept revisions, including those in `reservations` (see `kind`). */
  stored_bytes: number;
  /**
   * The stored revisions and tombstones: about, as a crash can lose a change of the number until the next recount. Absent until the first
   * change.
   */
  revisions?: number;
  /** Changes and blocks whose outcomes have not been entered yet. */
  reservations: StoredReservation[];
  /** The oldest `at` of `reservations`; absent without reservations. */
  reserved_since?: Date;
  /** The number of recounts that corrected `stored_bytes` or `revisions`; absent until the first. */
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

/**
 * Room and record ids for the pushes of one replica in a short time (`push-block.ts`). Its bytes count from the reservation
 * on; at its end those are released that no push has stored.
 */
export interface ReservedBlock {
  kind: 'pushes';
  /** The name of the block; its record ids contain some of its bits. */
  write_id: string;
  bytes: number;
  /** The time of its record ids in milliseconds since 1970: the first, and the one after the last. */
  from: number;
  until: number;
  /** The number of record ids in each millisecond. */
  each: number;
}

/** A change or a block that is reserved. */
export type Reserved = ReservedChange | ReservedBlock;

/** A reserved change or block as it is stored. */
export type StoredReservation = Reserved & {
  /** When the change or block was reserved, by the clock of the database. */
  at: Date;
};

/** The known outcome of a reservation. */
export interface ReservationOutcome {
  /** The bytes that the reservation releases unless more of it is made. */
  released: number;
  /** Whether no more of the reservation can be made; otherwise the reservation is in doubt. */
  isFinal: boolean;
}

/** Finds and decides the outcomes of reservations, so that the quota does not depend on Records. */
export interface ReservationOutcomes {
  /** The outcomes by write id, now or at the snapshot's point in time. */
  find(
    workspaceId: string,
    reservations: readonly Reserved[],
    timed: Timed,
    snapshot?: Snapshot,
  ): Promise<Map<string, ReservationOutcome>>;
  /** Makes it impossible that more of these reservations is made later. Returns the outcomes by write id. */
  decide(workspaceId: string, reservations: readonly Reserved[]): Promise<Map<string, ReservationOutcome>>;
}

/** The bytes that a change or block releases when it was made, or was not. */
export function releasedBytes({ kind, bytes }: Reserved, isMade: boolean): number {
  return (kind === 'deletion') === isMade ? bytes : 0;
}

/** The usage of the Workspaces; only background work uses its indexes. */
export const storedUsage: StoredDocuments<StoredUsage> = {
  collection: 'usage',
  shardKey: '_id',
  indexes: [{ key: { reserved_since: 1 }, sparse: true }, { key: { recounted_at: 1 } }],
  ofWorkspace: (_id) => ({ _id }),
  exported: {
    type: 'usage',
    order: { _id: 1 },
    data: ({ quota_bytes, stored_bytes }) => ({ quota_bytes, stored_bytes }),
  },
};
