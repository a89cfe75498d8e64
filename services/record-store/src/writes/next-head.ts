import { randomUUID } from 'node:crypto';
import type { Origin, Timed } from '@action-platform/contracts/calls';
import type { RecordState } from '@action-platform/contracts/operations';
import type { ExactJson } from '@action-platform/json';
import { PURGE_AGAIN_AFTER_MS } from '../recovery/purge.ts';
import type { Commit, Head, RecordReference, Tombstone } from '../storage/stored-head.ts';
import { revisionCommit } from '../storage/stored-revision.ts';
import type { KeyedWrite } from './keyed-write.ts';

/** The author of a change, and where the change came from. */
export interface Author {
  userId: string;
  origin: Origin;
}

/** A write of a Record that exists. */
export interface RecordWrite extends Timed, Author {
  reference: RecordReference;
}

/** A new revision of a Record. */
export interface NewRevision extends Author {
  payload: ExactJson;
  keyed: KeyedWrite | undefined;
  /** The operation of the call, when it may make several commits. */
  operationId?: string;
}

/** The head of a Record that is being pushed. */
export function pushed(
  { workspaceId, collectionId, recordId }: RecordReference,
  { payload, userId, keyed, operationId, origin }: NewRevision,
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
    commit: {
      ...{ type: 'pushed', sequence: 1, at: now },
      ...(operationId !== undefined && { operation_id: operationId }),
      ...origin,
    },
  };
}

/** The head after a replace or patch. */
export function revised(
  head: Head,
  { type, payload, userId, keyed, origin }: NewRevision & { type: 'replaced' | 'patched' },
): Head {
  const { idempotency_key, fingerprint, revision_commit, ...kept } = head;
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
    commit: nextCommit(head, type, now, origin),
  };
}

/** The head after an archive or restore. */
export function withState(head: Head, state: RecordState, { userId, origin }: Author): Head {
  const now = new Date();
  return {
    ...head,
    state,
    updated_at: now,
    updated_by: userId,
    revision_commit: revisionCommit(head),
    commit: nextCommit(head, state === 'archived' ? 'archived' : 'restored', now, origin),
  };
}

/** The tombstone that replaces the head of a Record deleted by the write `deletionId`. */
export function tombstoneOf(head: Head, deletionId: string, { userId, origin }: Author): Tombstone {
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
    pushed_bytes,
    ...(push_idempotency_key !== undefined && { push_idempotency_key }),
    ...(push_fingerprint !== undefined && { push_fingerprint }),
    deletion_id: deletionId,
    deleted_at: now,
    deleted_by: userId,
    purge_at: new Date(now.getTime() + PURGE_AGAIN_AFTER_MS),
    commit: nextCommit(head, 'deleted', now, origin),
  };
}

/** The commit that follows the current one. */
function nextCommit({ commit }: Head, type: Commit['type'], at: Date, origin: Origin): Commit {
  return { type, sequence: commit.sequence + 1, at, ...origin };
}
