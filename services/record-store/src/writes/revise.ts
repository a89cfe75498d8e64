import { ActionError } from '@action-platform/contracts/errors';
import type { StoredRecord } from '@action-platform/contracts/operations';
import type { ExactJson } from '@action-platform/json';
import type { Dependencies } from '../dependencies.ts';
import type { Reservation } from '../quota/reservation.ts';
import { describeRecord, type Head } from '../storage/stored-head.ts';
import { currentRevision, describeRecordAt } from '../storage/stored-revision.ts';
import { type KeyedWrite, requireSameInput, type WriteResult } from './keyed-write.ts';
import { type RecordWrite, revised } from './next-head.ts';
import { requireActive, requireSize, requireVersion } from './preconditions.ts';

/** A new revision of a Record: a replace or patch. */
export interface Revise extends RecordWrite {
  type: 'replaced' | 'patched';
  /** The new payload, made from the JSON text of the current one. */
  nextPayload: (current: string) => ExactJson | Promise<ExactJson>;
  expectedVersion?: number | undefined;
  keyed: KeyedWrite | undefined;
}

/**
 * Gives a Record a new revision: copies the current one into the history, then replaces the head on condition that it
 * has not changed. After a lost race, `revise` starts again with the new head.
 *
 * @throws ActionError `record_store_record_not_found`, `record_store_stale_version`, `record_store_record_archived`,
 *   `record_store_payload_too_large`, `record_store_quota_exceeded` or `record_store_idempotency_conflict`;
 *   `action_platform_unavailable` when no attempt succeeded before the deadline.
 */
export async function revise(dependencies: Dependencies, request: Revise): Promise<WriteResult> {
  for (;;) {
    const head = await dependencies.heads.get(request.reference, request);
    const result = await reviseOnce(dependencies, request, head);
    if (result !== undefined) return result;
  }
}

/** Makes one attempt; returns undefined when another write was first. */
async function reviseOnce(
  dependencies: Dependencies,
  request: Revise,
  head: Head,
): Promise<WriteResult | undefined> {
  const [first, prepared] = await Promise.allSettled([
    firstOutcome(dependencies, request, head),
    prepare(dependencies, request, head),
  ]);
  // A retry gets the first outcome even when it would be refused now.
  if (first.status === 'rejected' || first.value !== undefined) {
    if (prepared.status === 'fulfilled') prepared.value.reservation.release();
    if (first.status === 'rejected') throw first.reason;
    return { record: first.value!, isReplay: true };
  }
  if (prepared.status === 'rejected') return await refuse(dependencies, request, head, prepared.reason);
  const { next, reservation } = prepared.value;
  const isReplaced = await reservation.commit(() => dependencies.heads.replace(head, next, request));
  return isReplaced ? { record: describeRecord(next), isReplay: false } : undefined;
}

/** The outcome of the Record's first replace or patch with this key; undefined when none was made up to `head`. */
async function firstOutcome(
  { revisions }: Dependencies,
  request: Revise,
  head: Head,
): Promise<StoredRecord | undefined> {
  const { keyed, reference } = request;
  if (keyed === undefined) return undefined;
  const isCurrent = head.idempotency_key === keyed.key;
  if (!isCurrent && head.version === 1) return undefined;
  const made = isCurrent ? head : await revisions.findByKey({ ...reference, key: keyed.key }, request);
  if (made === undefined) return undefined;
  requireSameInput(made.fingerprint, keyed, head);
  const first = isCurrent ? currentRevision(head) : await revisions.find(head, made.version, request);
  if (first === null) throw new ActionError('record_store_record_not_found');
  return describeRecordAt(head, first);
}

/** Checks the request, reserves the bytes and copies the current revision: everything before the commit. */
async function prepare(
  { limits, quota, revisions }: Dependencies,
  request: Revise,
  head: Head,
): Promise<{ next: Head; reservation: Reservation<boolean> }> {
  requireVersion(head, request.expectedVersion);
  requireActive(head);
  const payload = await request.nextPayload(head.payload);
  requireSize('payload', payload, limits.RECORD_PAYLOAD_MAX_BYTES);
  const next = revised(head, { ...request, payload });
  const { workspace_id, _id: record_id, write_id, version, bytes } = next;
  const [reserved, kept] = await Promise.allSettled([
    quota.reserve(workspace_id, { kind: 'revision', write_id, record_id, version, bytes }, request),
    revisions.keepCurrent(head, request),
  ]);
  if (reserved.status === 'rejected') throw reserved.reason;
  if (kept.status === 'rejected') {
    reserved.value.release();
    throw kept.reason;
  }
  return { next, reservation: reserved.value };
}

/**
 * Throws the refusal, unless the request turns out to be a replay: while the writer waited for room, recovery may have
 * found that an earlier attempt with the same key was made.
 */
async function refuse(
  dependencies: Dependencies,
  request: Revise,
  head: Head,
  refusal: unknown,
): Promise<WriteResult> {
  if (request.keyed === undefined || !(refusal instanceof ActionError)) throw refusal;
  const latest = await dependencies.heads.get(request.reference, request);
  if (latest.write_id === head.write_id) throw refusal;
  const record = await firstOutcome(dependencies, request, latest);
  if (record === undefined) throw refusal;
  return { record, isReplay: true };
}
