import { randomUUID } from 'node:crypto';
import { ActionError, newId, type StoredRecord } from '@action-platform/contracts';
import type { ExactJson } from '@action-platform/json';
import { startAttempt } from '../attempts/attempt.ts';
import { type KeyedWrite, requireSameInput } from '../idempotency/keyed-write.ts';
import type { RecordStore } from '../store.ts';
import { requireSize } from './preconditions.ts';
import { pushed } from './transitions.ts';
import { currentRecord, currentRevision, recordAt } from './views.ts';
import type { WriteOutcome } from './write-outcome.ts';

/** A push of a new Record. */
export interface Push {
  workspaceId: string;
  collectionId: string;
  userId: string;
  payload: ExactJson;
  keyed: KeyedWrite | undefined;
  /** When the requester stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
}

/**
 * Stores a new Record with version 1: one insert, which the unique index on the key makes happen once.
 *
 * @throws ActionError `record_store_payload_too_large`, `record_store_quota_exceeded`,
 *   `record_store_idempotency_conflict`, or `record_store_record_not_found` when the Record of the key was deleted.
 */
export async function push(store: RecordStore, request: Push): Promise<WriteOutcome> {
  const { keyed } = request;
  try {
    return { record: await insert(store, request), isReplay: false };
  } catch (refusal) {
    // A retry learns the first outcome, whatever would refuse it now; the first use of a key need not look for one.
    if (keyed === undefined || !(refusal instanceof ActionError)) throw refusal;
    const record = await firstOutcome(store, request, keyed);
    if (record === undefined) throw refusal;
    return { record, isReplay: true };
  }
}

async function insert(store: RecordStore, { payload, deadline, ...request }: Push): Promise<StoredRecord> {
  requireSize(payload, store.limits.RECORD_PAYLOAD_MAX_BYTES);
  const attempt = startAttempt(deadline);
  const head = pushed(
    { ...request, recordId: newId('record') },
    { writeId: randomUUID(), payload, userId: request.userId, keyed: request.keyed },
  );
  const { _id: record_id, write_id, version, bytes } = head;
  const booking = store.quota.book(request.workspaceId, {
    kind: 'revision',
    write_id,
    record_id,
    version,
    bytes,
  });
  await booking.booked;
  const isInserted = await booking.commit(() => store.heads.insert(head, attempt));
  if (!isInserted) throw new ActionError('record_store_idempotency_conflict');
  return currentRecord(head);
}

/** What the first push with this key came to; undefined when there was none. */
async function firstOutcome(
  { heads, revisions }: RecordStore,
  { workspaceId, collectionId }: Push,
  keyed: KeyedWrite,
): Promise<StoredRecord | undefined> {
  const head = await heads.findByPushKey(workspaceId, collectionId, keyed.key);
  if (head === null) return undefined;
  if (head.state !== 'deleted') {
    requireSameInput(head.push_fingerprint, keyed);
    const first = head.version === 1 ? currentRevision(head) : await revisions.find(workspaceId, head._id, 1);
    if (first !== null) return recordAt(head, first);
  }
  throw new ActionError('record_store_record_not_found', {
    message: 'The Record that this idempotency_key pushed was permanently deleted.',
  });
}
