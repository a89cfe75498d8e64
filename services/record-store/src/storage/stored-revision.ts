import type { Revision, StoredRecord } from '@action-platform/contracts/operations';
import { ExactJson } from '@action-platform/json';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import { type Commit, describeRecord, type Head } from './stored-head.ts';

/** A revision of a Record: an immutable full snapshot of its payload. */
export interface StoredRevision {
  workspace_id: string;
  record_id: string;
  version: number;
  /** The id of the write that made it. */
  write_id: string;
  /** JSON text, exactly as it was sent. */
  payload: string;
  /** UTF-8 bytes of the payload. */
  bytes: number;
  created_at: Date;
  created_by: string;
  /** The idempotency key of the replace or patch that made it, and the fingerprint of its input. */
  idempotency_key?: string;
  fingerprint?: string;
  /** The write that made it. */
  commit: Commit;
}

export const storedRevisions: StoredDocuments<StoredRevision> = {
  collection: 'revisions',
  shardKey: 'workspace_id',
  indexes: [
    { key: { workspace_id: 1, record_id: 1, version: 1 }, unique: true },
    {
      key: { workspace_id: 1, record_id: 1, idempotency_key: 1 },
      partialFilterExpression: { idempotency_key: { $exists: true } },
    },
  ],
  ofWorkspace: byWorkspace,
  exported: {
    type: 'revision',
    order: { record_id: 1, version: 1 },
    data: (revision) => ({ record_id: revision.record_id, ...describeRevision(revision) }),
  },
};

/** The commit of the current revision, which an archive and a restore may have followed. */
export function revisionCommit({ commit, revision_commit }: Head): Commit {
  return revision_commit ?? commit;
}

/** The current revision of a Record, in the form in which the history stores it. */
export function currentRevision(head: Head): StoredRevision {
  const { idempotency_key, fingerprint } = head;
  return {
    workspace_id: head.workspace_id,
    record_id: head._id,
    version: head.version,
    write_id: head.write_id,
    payload: head.payload,
    bytes: head.bytes,
    created_at: head.revised_at,
    created_by: head.revised_by,
    ...(idempotency_key !== undefined && { idempotency_key }),
    ...(fingerprint !== undefined && { fingerprint }),
    commit: revisionCommit(head),
  };
}

/** A revision as callers see it. */
export function describeRevision({ version, payload, created_at, created_by }: StoredRevision): Revision {
  return { version, payload: new ExactJson(payload), created_at: created_at.toISOString(), created_by };
}

/** A Record as of one of its revisions: the outcome of the write that made the revision. */
export function describeRecordAt(
  head: Head,
  { version, payload, created_at: updated_at, created_by: updated_by }: StoredRevision,
): StoredRecord {
  return describeRecord({ ...head, version, state: 'active', payload, updated_at, updated_by });
}
