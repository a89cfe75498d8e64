import type { Origin } from '@action-platform/contracts/calls';
import type { RecordState, StoredRecord } from '@action-platform/contracts/operations';
import { ExactJson } from '@action-platform/json';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** The name of a Record: its Workspace, Collection and id. */
export interface RecordReference {
  workspaceId: string;
  collectionId: string;
  recordId: string;
}

/** A write that changed a Record, stored in its head or tombstone, with where it came from. */
export interface Commit extends Partial<Origin> {
  readonly type: 'pushed' | 'replaced' | 'patched' | 'archived' | 'restored' | 'deleted';
  /** Counts the commits of the Record, from 1. */
  readonly sequence: number;
  readonly at: Date;
  /** The operation of a call that may make several commits; absent on the commit of any other. */
  readonly operation_id?: string;
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
  /** UTF-8 bytes of the payload of version 1, which recovery sums for a block of pushes. */
  pushed_bytes: number;
  /** The idempotency key of the push, kept forever for its unique index, and the fingerprint of the push's input. */
  push_idempotency_key?: string;
  push_fingerprint?: string;
  /** The write that made the current state. */
  commit: Commit;
}

/** The head of a Record: its current revision and the fields of the Record as a whole. */
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
  /** Time and author of the current revision. */
  revised_at: Date;
  revised_by: string;
  /** Time and author of the last revision, archive or restore. */
  updated_at: Date;
  updated_by: string;
  /** Key of the replace or patch that made the current revision, and the fingerprint of its input. */
  idempotency_key?: string;
  fingerprint?: string;
  /** The approvals that let an archive or restore through, as long as grants lets their calls through again: no one has a second effect. */
  spent_approvals?: readonly { readonly id: string; readonly at: Date }[];
  /** The commit of the current revision, when an archive or restore came after it. */
  revision_commit?: Commit;
  /** Raised by recovery to abort writes that were prepared on this head; absent until the first time. */
  fence?: number;
}

/** Replaces the head of a deleted Record, and keeps the key of its push taken, so that no late replay pushes the Record again. */
export interface Tombstone extends HeadOrTombstone {
  state: 'deleted';
  /** The write that deleted it. */
  deletion_id: string;
  deleted_at: Date;
  deleted_by: string;
  /** The time of the second purge of its history; absent after that. */
  purge_at?: Date;
  /** How many attempts of it have begun. */
  purge_attempts?: number;
}

/** Takes the id of a push that recovery has aborted, so that a late insert fails. */
export interface VoidedPush {
  _id: string;
  workspace_id: string;
  state: 'void';
  expires_at: Date;
}

/** The one document in which every change of a Record is committed. */
export type StoredHead = Head | Tombstone | VoidedPush;

export const storedHeads: StoredDocuments<Head> = {
  collection: 'records',
  shardKey: 'workspace_id',
  indexes: [
    { key: { workspace_id: 1, collection_id: 1, state: 1, _id: 1 } },
    {
      key: { workspace_id: 1, collection_id: 1, push_idempotency_key: 1 },
      unique: true,
      partialFilterExpression: { push_idempotency_key: { $exists: true } },
    },
    { key: { purge_at: 1 }, sparse: true },
    { key: { expires_at: 1 }, sparse: true, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  exported: {
    type: 'record',
    forEach: { collection: 'collections', field: 'collection_id' },
    filter: { state: { $in: ['active', 'archived'] satisfies RecordState[] } },
    order: { _id: 1 },
    data: describeRecord,
  },
};

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
