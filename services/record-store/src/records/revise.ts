import { randomUUID } from 'node:crypto';
import type { StoredRecord } from '@action-platform/contracts';
import type { ExactJson } from '@action-platform/json';
import { type Attempt, startAttempt } from '../attempts/attempt.ts';
import { type KeyedWrite, requireSameInput } from '../idempotency/keyed-write.ts';
import type { Booking } from '../quota/booking.ts';
import type { RecordStore } from '../store.ts';
import type { LiveHead, RecordReference } from './head.ts';
import { requireActive, requireSize, requireVersion } from './preconditions.ts';
import { revised } from './transitions.ts';
import { currentRecord, currentRevision, recordAt } from './views.ts';
import type { WriteOutcome } from './write-outcome.ts';

/** A new revision of a Record: a replace or patch. */
export interface Revise {
  reference: RecordReference;
  userId: string;
  /** Gives the new payload for the current one's JSON text. */
  nextPayload: (current: string) => ExactJson;
  expectedVersion?: number | undefined;
  keyed: KeyedWrite | undefined;
  /** When the requester stops waiting, in milliseconds of `performance.now()`. */
  deadline: number;
}

/**
 * Gives a Record a new revision: the current one is copied into the history, then the head is replaced on condition
 * that nobody else has changed it meanwhile. Who loses such a race begins anew with what the winner made.
 *
 * @throws ActionError `record_store_record_not_found`, `record_store_stale_version`, `record_store_record_archived`,
 *   `record_store_payload_too_large`, `record_store_quota_exceeded` or `record_store_idempotency_conflict`;
 *   `action_platform_unavailable` when races were lost until the deadline.
 */
export async function revise(store: RecordStore, request: Revise): Promise<WriteOutcome> {
  for (;;) {
    const attempt = startAttempt(request.deadline);
    const head = await store.heads.get(request.reference);
    const outcome = await reviseOnce(store, request, head, attempt);
    if (outcome !== undefined) return outcome;
  }
}

/** One attempt; undefined when it lost a race. */
async function reviseOnce(
  store: RecordStore,
  request: Revise,
  head: LiveHead,
  attempt: Attempt,
): Promise<WriteOutcome | undefined> {
  const [first, prepared] = await Promise.allSettled([
    firstOutcome(store, request, head),
    prepare(store, request, head, attempt),
  ]);
  // A retry learns the first outcome, whatever would refuse it now.
  if (first.status === 'rejected' || first.value !== undefined) {
    if (prepared.status === 'fulfilled') prepared.value.booking.cancel();
    if (first.status === 'rejected') throw first.reason;
    return { record: first.value!, isReplay: true };
  }
  if (prepared.status === 'rejected') throw prepared.reason;
  const { next, booking } = prepared.value;
  const isReplaced = await booking.commit(() => store.heads.replace(head, next, attempt));
  return isReplaced ? { record: currentRecord(next), isReplay: false } : undefined;
}

/** What the first replace or patch of the Record with this key came to; undefined when there was none up to `head`. */
async function firstOutcome(
  { revisions }: RecordStore,
  { keyed, reference }: Revise,
  head: LiveHead,
): Promise<StoredRecord | undefined> {
  if (keyed === undefined) return undefined;
  const isCurrent = head.revision_key === keyed.key;
  if (!isCurrent && head.version === 1) return undefined;
  const first = isCurrent
    ? currentRevision(head)
    : await revisions.findByKey({ ...reference, key: keyed.key });
  if (first === undefined) return undefined;
  requireSameInput(first.fingerprint, keyed);
  return recordAt(head, first);
}

/** Checks the request, books the bytes and copies the current revision; then only the commit is left to do. */
async function prepare(
  store: RecordStore,
  request: Revise,
  head: LiveHead,
  attempt: Attempt,
): Promise<{ next: LiveHead; booking: Booking }> {
  requireVersion(head, request.expectedVersion);
  requireActive(head);
  const payload = request.nextPayload(head.payload);
  requireSize(payload, store.limits.RECORD_PAYLOAD_MAX_BYTES);
  const { userId, keyed } = request;
  const next = revised(head, { writeId: randomUUID(), payload, userId, keyed });
  const { _id: record_id, write_id, version, bytes } = next;
  const booking = store.quota.book(head.workspace_id, {
    kind: 'revision',
    write_id,
    record_id,
    version,
    bytes,
  });
  try {
    await Promise.all([booking.booked, store.revisions.keep(currentRevision(head), attempt)]);
  } catch (error) {
    booking.cancel();
    throw error;
  }
  return { next, booking };
}
