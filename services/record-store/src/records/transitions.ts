import type { RecordState } from '@action-platform/contracts';
import type { ExactJson } from '@action-platform/json';
import { ATTEMPT_OVER_AFTER_MS } from '../attempts/attempt.ts';
import type { KeyedWrite } from '../idempotency/keyed-write.ts';
import type { LiveHead, RecordReference, Tombstone } from './head.ts';

/** A new revision of a Record. */
export interface NewRevision {
  /** Names this write. */
  writeId: string;
  payload: ExactJson;
  userId: string;
  keyed: KeyedWrite | undefined;
}

/** The head of a Record that is being pushed. */
export function pushed(
  { workspaceId, collectionId, recordId }: RecordReference,
  { writeId, payload, userId, keyed }: NewRevision,
): LiveHead {
  const now = new Date();
  const bytes = payload.byteLength;
  return {
    _id: recordId,
    workspace_id: workspaceId,
    collection_id: collectionId,
    state: 'active',
    version: 1,
    write_id: writeId,
    payload: payload.text,
    bytes,
    stored_bytes: bytes,
    created_at: now,
    created_by: userId,
    revised_at: now,
    revised_by: userId,
    updated_at: now,
    updated_by: userId,
    ...(keyed && { push_key: keyed.key, push_fingerprint: keyed.fingerprint }),
  };
}

/** The head after a replace or patch. */
export function revised(head: LiveHead, { writeId, payload, userId, keyed }: NewRevision): LiveHead {
  const { revision_key, revision_fingerprint, ...kept } = head;
  const now = new Date();
  const bytes = payload.byteLength;
  return {
    ...kept,
    version: head.version + 1,
    write_id: writeId,
    payload: payload.text,
    bytes,
    stored_bytes: head.stored_bytes + bytes,
    revised_at: now,
    revised_by: userId,
    updated_at: now,
    updated_by: userId,
    ...(keyed && { revision_key: keyed.key, revision_fingerprint: keyed.fingerprint }),
  };
}

/** The head after an archive or restore. */
export function withState(head: LiveHead, state: RecordState, userId: string): LiveHead {
  return { ...head, state, updated_at: new Date(), updated_by: userId };
}

/** What takes the place of the head when a Record is deleted. */
export function buried(head: LiveHead, deletionId: string, userId: string): Tombstone {
  const { _id, workspace_id, collection_id, version, write_id, push_key } = head;
  const now = new Date();
  return {
    _id,
    workspace_id,
    collection_id,
    state: 'deleted',
    version,
    write_id,
    ...(push_key !== undefined && { push_key }),
    deletion_id: deletionId,
    deleted_at: now,
    deleted_by: userId,
    // By then no attempt that still saw the Record alive can add to its history.
    purge_at: new Date(now.getTime() + ATTEMPT_OVER_AFTER_MS),
  };
}
