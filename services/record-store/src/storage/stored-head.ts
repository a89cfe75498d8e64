import type { RecordState, StoredRecord } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';
import type { Collection, Db } from 'mongodb';

/** Names a Record: where it is, and which it is. */
export interface RecordReference {
  workspaceId: string;
  collectionId: string;
  recordId: string;
}

interface HeadOrTombstone {
  /** The Record's id. */
  _id: string;
  workspace_id: string;
  collection_id: string;
  /** Counts revisions, from 1. */
  version: number;
  /** The write that made the current revision. */
  write_id: string;
  /** The idempotency key of the push, kept for ever for its unique index, and the fingerprint of the push's input. */
  push_idempotency_key?: string;
  push_fingerprint?: string;
}

/** The head of a Record: its current revision, and what is known of the Record as a whole. */
export interface Head extends HeadOrTombstone {
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
  /** Key of the replace or patch that made the current revision, and the fingerprint of its input. */
  idempotency_key?: string;
  fingerprint?: string;
  /** How often recovery has shut out writes that were prepared on this head; absent until it does so first. */
  fence?: number;
}

/** The remains of a deleted Record. They keep the push's key taken, so that a late replay cannot resurrect it. */
export interface Tombstone extends HeadOrTombstone {
  state: 'deleted';
  /** The write that deleted it. */
  deletion_id: string;
  deleted_at: Date;
  deleted_by: string;
  /** When its history is looked through once more; absent after that. */
  purge_at?: Date;
}

/** Takes the id of a push that recovery has aborted, so that its insert fails should it arrive after all. */
export interface VoidedPush {
  _id: string;
  workspace_id: string;
  state: 'void';
  expires_at: Date;
}

/** The one document in which every change of a Record is committed. */
export type StoredHead = Head | Tombstone | VoidedPush;

/** Opens where the heads of Records are stored, with the indexes they need. */
export async function openHeads(db: Db): Promise<Collection<StoredHead>> {
  const heads = db.collection<StoredHead>('records');
  await heads.createIndexes([
    { key: { workspace_id: 1, collection_id: 1, state: 1, _id: 1 } },
    {
      key: { workspace_id: 1, collection_id: 1, push_idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { push_idempotency_key: { $exists: true } },
    },
    { key: { purge_at: 1 }, sparse: true },
    { key: { expires_at: 1 }, sparse: true, expireAfterSeconds: 0 },
  ]);
  return heads;
}

/** A Record as callers see it now. */
export function describeRecord(head: Head): StoredRecord {
  return {
    id: head._id,
    collection_id: head.collection_id,
    version: head.version,
    state: head.state,
    payload: new ExactJson(head.payload),
    created_at: head.created_at.toISOString(),
    created_by: head.created_by,
    updated_at: head.updated_at.toISOString(),
    updated_by: head.updated_by,
  };
}
