import { randomUUID } from 'node:crypto';
import type { RecordState } from '@action-platform/contracts';
import type { ExactJson } from '@action-platform/json';
import { PURGE_AGAIN_AFTER_MS } from '../recovery/purge.ts';
import type { Head, RecordReference, Tombstone } from '../storage/stored-head.ts';
import type { KeyedWrite } from './keyed-write.ts';

/** A new revision of a Record. */
export interface NewRevision {
  payload: ExactJson;
  userId: string;
  keyed: KeyedWrite | undefined;
}

/** The head of a Record that is being pushed. */
export function pushed(
  { workspaceId, collectionId, recordId }: RecordReference,
  { payload, userId, keyed }: NewRevision,
): Head {
  const now = new Date();
  const bytes = payload.byteLength;
  return {
    _id: recordId,
    workspace_id: workspaceId,
    collection_id: collectionId,
    state: 'active',
    version: 1,
    write_id: randomUUID(),
    payload: payload.text,
    bytes,
    stored_bytes: bytes,
    pushed_bytes: bytes,
    created_at: now,
    created_by: userId,
    revised_at: now,
    revised_by: userId,
    updated_at: now,
    updated_by: userId,
    ...(keyed && { push_idempotency_key: keyed.key, push_fingerprint: keyed.fingerprint }),
  };
}

/** The head after a replace or patch. */
export function revised(head: Head, { payload, userId, keyed }: NewRevision): Head {
  const { idempotency_key, fingerprint, ...kept } = head;
  const now = new Date();
  const bytes = payload.byteLength;
  return {
    ...kept,
    version: head.version + 1,
    write_id: randomUUID(),
    payload: payload.text,
    bytes,
    stored_bytes: head.stored_bytes + bytes,
    revised_at: now,
    revised_by: userId,
    updated_at: now,
    updated_by: userId,
    ...(keyed && { idempotency_key: keyed.key, fingerprint: keyed.fingerprint }),
  };
}

/** The head after an archive or restore. */
export function withState(head: Head, state: RecordState, userId: string): Head {
  return { ...head, state, updated_at: new Date(), updated_by: userId };
}

/** The tombstone that replaces the head of a Record deleted by the write `deletionId`. */
export function buried(head: Head, deletionId: string, userId: string): Tombstone {
  const { _id, workspace_id, collection_id, version, write_id, pushed_bytes } = head;
  const { push_idempotency_key, push_fingerprint } = head;
  const now = new Date();
  return {
    _id,
    workspace_id,
    collection_id,
    state: 'deleted',
    version,
    write_id,
    ...(pushed_bytes !== undefined && { pushed_bytes }),
    ...(push_idempotency_key !== undefined && { push_idempotency_key }),
    ...(push_fingerprint !== undefined && { push_fingerprint }),
    deletion_id: deletionId,
    deleted_at: now,
    deleted_by: userId,
    purge_at: new Date(now.getTime() + PURGE_AGAIN_AFTER_MS),
  };
}
