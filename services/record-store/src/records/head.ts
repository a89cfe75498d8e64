import type { RecordState } from '@action-platform/contracts';

/** Names a Record: where it is, and which it is. */
export interface RecordReference {
  workspaceId: string;
  collectionId: string;
  recordId: string;
}

interface AnyHead {
  /** The Record's id. */
  _id: string;
  workspace_id: string;
  collection_id: string;
  /** Counts revisions, from 1. */
  version: number;
  /** The write that made the current revision. */
  write_id: string;
  /** The idempotency key of the push. */
  push_key?: string;
}

/** The head of a Record: its current revision, and what is known of the Record as a whole. */
export interface LiveHead extends AnyHead {
  state: RecordState;
  /** JSON text, exactly as it was sent. */
  payload: string;
  /** UTF-8 bytes of the payload. */
  bytes: number;
  /** UTF-8 bytes of the payloads of all kept revisions. */
  stored_bytes: number;
  created_at: Date;
  created_by: string;
  /** When and by whom the current revision was made. */
  revised_at: Date;
  revised_by: string;
  /** When and by whom the Record was last revised, archived or restored. */
  updated_at: Date;
  updated_by: string;
  /** Fingerprint of the input of a push with a key. */
  push_fingerprint?: string;
  /** Key and fingerprint of the replace or patch that made the current revision. */
  revision_key?: string;
  revision_fingerprint?: string;
}

/** What stays of a deleted Record: it keeps the push key taken, so that a late replay cannot resurrect it. */
export interface Tombstone extends AnyHead {
  state: 'deleted';
  /** The write that deleted it. */
  deletion_id: string;
  deleted_at: Date;
  deleted_by: string;
  /** When what its history left is looked for once more; absent after that. */
  purge_at?: Date;
}

/** The one document in which every change of a Record is committed. */
export type Head = LiveHead | Tombstone;
