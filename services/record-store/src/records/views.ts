import type { StoredRecord } from '@action-platform/contracts';
import { ExactJson } from '@action-platform/json';
import type { RevisionDocument } from '../revisions/revision-document.ts';
import type { LiveHead } from './head.ts';

/** A Record as it is now. */
export function currentRecord(head: LiveHead): StoredRecord {
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

/** A Record as it was when one of its revisions had just been made: the outcome of the write that made it. */
export function recordAt(head: LiveHead, revision: RevisionDocument): StoredRecord {
  return {
    id: head._id,
    collection_id: head.collection_id,
    version: revision.version,
    state: 'active',
    payload: new ExactJson(revision.payload),
    created_at: head.created_at.toISOString(),
    created_by: head.created_by,
    updated_at: revision.created_at.toISOString(),
    updated_by: revision.created_by,
  };
}

/** The current revision of a Record. */
export function currentRevision(head: LiveHead): RevisionDocument {
  const { revision_key: key, revision_fingerprint: fingerprint } = head;
  return {
    workspace_id: head.workspace_id,
    record_id: head._id,
    version: head.version,
    write_id: head.write_id,
    payload: head.payload,
    bytes: head.bytes,
    created_at: head.revised_at,
    created_by: head.revised_by,
    ...(key !== undefined && { key }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}
