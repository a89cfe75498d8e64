/** How many bytes of Records a Workspace stores. */
export interface UsageDocument {
  /** The Workspace's id. */
  _id: string;
  /** Absent until an operator sets it; then the default applies. */
  quota_bytes?: number;
  /** UTF-8 bytes of the payloads of all kept revisions, those in `pending` included as their kind says. */
  stored_bytes: number;
  /** Changes whose outcome is not entered yet. */
  pending: PendingChange[];
  /** The oldest `at` of `pending`; absent when it is empty. */
  pending_since?: Date;
}

/** A change of a Workspace's stored bytes, entered before the write that makes it. */
export interface BookedChange {
  /**
   * A new revision's bytes are counted from the start, and given back if it is not made. A deletion's bytes are
   * those of the whole history, and given back once it is made.
   */
  kind: 'revision' | 'deletion';
  /** The write that makes the change. */
  write_id: string;
  record_id: string;
  /** The version that the write makes or deletes. */
  version: number;
  bytes: number;
}

/** A booked change as it is stored. */
export interface PendingChange extends BookedChange {
  /** When it was booked, by the clock of the database. */
  at: Date;
}

/** What becomes of a change's bytes when its outcome is known. */
export type Settlement = 'kept' | 'given back';

/** What becomes of a change's bytes when it was made, or will never be. */
export function settlementOf(change: BookedChange, isMade: boolean): Settlement {
  return isMade === (change.kind === 'revision') ? 'kept' : 'given back';
}
