/*
 * The write protocol: the steps of a write, the state after a crash at each step, and its recovery.
 *
 * The Record, its history and the usage of its Workspace must agree without a transaction across documents. So every
 * write has one commit point, a write of the Record's head alone. The steps before it are harmless on their own:
 *
 *   1. Reserve. The writer adds an entry to the usage document of the Workspace. The entry names the write, its Record and
 *      its version, and counts its bytes if they fit. One update reserves all pending changes of this replica in the
 *      Workspace. For pushes one command makes steps 1 and 3 (`quota/usage-commands.ts`).
 *   2. Copy (replace and patch only, concurrent with 1). The writer copies the current revision into the history. A
 *      revision never changes, so an existing or unneeded copy does no harm.
 *   3. Commit. A push inserts the head, under a record id made for this attempt and the unique index on its key. Every
 *      other write replaces the head on condition that its state, version, last write and fence have not changed.
 *   4. Settle. The writer soon removes the entry from the usage document, together with others. The entry's bytes are
 *      released when the write was not made (or, for a deletion, when it was).
 *
 * A Workspace that pushes often has a block (`quota/push-block.ts`): an entry that counts bytes for the pushes of the next
 * half second, and names the record ids that they may have. A push in the open block is step 3 alone. The replica that
 * reserved the block ends it when its time, bytes or ids are used up, when a push in it was not made, or when the replica
 * needs room; once it knows the outcome of every push, it removes the entry and releases the bytes that none has stored. A
 * block leaves enough room for any change, so near the quota there are none, and no writer waits for a new one. `quota set`
 * decides every block before it answers, so that a lower quota holds for the next push.
 *
 * Several pushes of one call have a block of their own (`push-all.ts`): the reservation of it is one command, and the insertions of each turn another.
 *
 * The command for steps 1 and 3 is an ordered list of the same writes, the reservation first. The database stops at the
 * first that fails:
 *
 *   - The reservation fails when not all changes fit. The writer then makes the steps one after the other, and keeps
 *     doing so while the Workspace is short of room.
 *   - A push fails when its key is taken. The pushes after it have their reservations; their writers insert them.
 *   - A crash in the middle of it leaves the state of a crash after 1, a lost answer the state of a lost answer to 3. A
 *     command that arrives late reserves late, or does not fit.
 *   - A command may hold the lists of several Workspaces (`quota/pooled-writes.ts`). The database skips the lists after
 *     the one at which it stopped, and the pool sends each of them again in a command of its own.
 *
 * A crash after 1 or 2 leaves a reservation of a write that was not made; after 3, one of a write that was made. The usage
 * document does not tell them apart: the reservation is in doubt. So is the reservation of a writer that received no
 * answer to 3, because its connection broke or its deadline passed; its command may arrive a minute later.
 *
 * Recovery decides a reservation in doubt at once, because it either finds the write or makes it impossible:
 *
 *   - A push: recovery inserts a void under the record id. If that succeeds, the push is aborted, because its insert
 *     would fail on the taken id. If a head has the id, the push is committed; if another void has it, aborted. No
 *     operation sees voids, and they expire after days.
 *   - A block: the same for every record id of the block. No push can be made in it any more, and the heads with its ids
 *     show the stored bytes: a head keeps those of version 1 in `pushed_bytes`, also as a tombstone.
 *   - A replace, patch or deletion: recovery raises the fence of the head, if the head still has the version on which the
 *     write was prepared. The commit compares the fence, so it can no longer succeed: aborted. If the version has passed,
 *     the write ids in head and history show which write made the next.
 *
 * The protocol depends on no clock and on no bound for the delay of a message. When recovery aborts the write of a live
 * writer, its commit fails, and the writer starts a new attempt: a push with another record id, other writes with the
 * current head.
 *
 * Reservations in doubt are handled by:
 *   - A writer that finds no room (`quota.reserve`). The writer refuses only if the bytes that are certainly stored leave
 *     no room. Otherwise the writer settles decided reservations, decides those in doubt for more than the grace of two
 *     seconds, waits for younger ones, and tries again until its deadline; then it answers 503. Without the grace two live
 *     writers that are short of room would abort each other.
 *   - Every replica in the background (`recovery/recovering.ts`), for abandoned reservations that no writer needs decided.
 *   - A reader of the usage (`usages.show`), which takes reservations as they are at one point in time and decides none.
 *
 * A key that exists answers before any refusal: the writer looks the key up once more before it refuses. A push that
 * succeeds needs no look-up, because the unique index detects a used key. A replace or patch looks for its key in head and
 * history, concurrently with steps 1 and 2.
 *
 * A deletion replaces the head by a tombstone (commit), settles every reservation of the Record while the history still
 * shows their outcomes, and then removes the history. After a crash the next call or the background finishes it. No reader
 * finds a copy (2) that arrives later; a second purge some minutes later removes it.
 *
 * The recount (`recovery/recount.ts`) sums the stored bytes at one point in time, and corrects drift that a fault in this
 * code or a restored backup has caused.
 */
import type { Timed } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { StoredRecord } from '@action-platform/contracts/operations';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord, type Head, type Tombstone } from '../storage/stored-head.ts';
import { currentRevision, describeRecordAt } from '../storage/stored-revision.ts';
import { requireSameInput, type WriteResult } from './keyed-write.ts';
import { type NewRevision, pushed } from './next-head.ts';
import { requireSize } from './preconditions.ts';

/** A push of a new Record. */
export interface Push extends Timed, NewRevision {
  workspaceId: string;
  collectionId: string;
}

/**
 * Stores a new Record with version 1.
 *
 * @throws ActionError `record_store_payload_too_large`, `record_store_quota_exceeded`,
 *   `record_store_idempotency_conflict`, or `record_store_record_not_found` when the Record of the key was deleted;
 *   `action_platform_unavailable` when no attempt succeeded before the deadline.
 */
export async function push(dependencies: Dependencies, request: Push): Promise<WriteResult> {
  for (;;) {
    let refusal: ActionError | undefined;
    try {
      const head = await reserveAndInsert(dependencies, request);
      if (head !== undefined) return { record: describeRecord(head), isReplay: false };
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      refusal = error;
    }
    const record = await firstOutcome(dependencies, request);
    if (record !== undefined) return { record, isReplay: true };
    if (refusal !== undefined) throw refusal;
    // Recovery has aborted this attempt, because the key is free and the head was not inserted.
  }
}

/** Makes one attempt, with one command, or two when room is short. Returns undefined when the key is taken or recovery has aborted the attempt. */
async function reserveAndInsert(
  { limits, quota, heads }: Dependencies,
  request: Push,
): Promise<Head | undefined> {
  const { workspaceId, payload } = request;
  requireSize('payload', payload, limits.RECORD_PAYLOAD_MAX_BYTES);
  const slot = quota.takeSlot(workspaceId, payload.byteLength);
  const head = pushed({ ...request, recordId: slot?.recordId ?? newId('record') }, request);
  const { _id: record_id, write_id, version, bytes } = head;
  const change = { kind: 'revision', write_id, record_id, version, bytes } as const;
  const reservation =
    slot?.reservation ?? (await quota.reserve(workspaceId, change, request, heads.insertion(head)));
  return (await reservation.commit(() => heads.insert(head, request))) ? head : undefined;
}

/** The outcome of the first push with the key; undefined without a key or an earlier push. */
async function firstOutcome(dependencies: Dependencies, request: Push): Promise<StoredRecord | undefined> {
  const { workspaceId, collectionId, keyed } = request;
  if (keyed === undefined) return undefined;
  const head = await dependencies.heads.findByPushKey(workspaceId, collectionId, keyed.key, request);
  return head === null ? undefined : await firstOutcomeOf(dependencies, request, head);
}

/**
 * The outcome of the first push with the key of a request.
 *
 * @param head of the Record that it made.
 * @throws ActionError `record_store_idempotency_conflict`, or `record_store_record_not_found` when the Record was deleted.
 */
export async function firstOutcomeOf(
  { revisions }: Dependencies,
  request: Push,
  head: Head | Tombstone,
): Promise<StoredRecord> {
  requireSameInput(head.push_fingerprint, request.keyed!, head);
  if (head.state !== 'deleted') {
    const first = head.version === 1 ? currentRevision(head) : await revisions.find(head, 1, request);
    if (first !== null) return describeRecordAt(head, first);
  }
  throw new ActionError('record_store_record_not_found', {
    message: 'The Record that this idempotency_key pushed was permanently deleted.',
  });
}
