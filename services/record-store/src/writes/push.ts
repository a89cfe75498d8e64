/*
 * The write protocol: how a write happens, what a crash leaves of it, and which part repairs that.
 *
 * Three things must agree without a transaction across documents: the Record, its history, and the bytes that its
 * Workspace is taken to store. So every write has one commit point, a write of the Record's head alone, and what
 * comes before it is harmless on its own:
 *
 *   1. Reserve. The usage document of the Workspace gets an entry that names the write, its Record and its version, and
 *      counts its bytes if they fit. Everything that waits in this replica for the same Workspace goes out in one update,
 *      and pushes with it: 1 and 3 are then one command (`quota/usage-commands.ts`).
 *   2. Copy (replace and patch only, beside 1). The current revision is copied into the history. A revision never
 *      changes, so a copy that is there already, or was not needed after all, is no fault.
 *   3. Commit. A push inserts the head, under a record id made for this attempt and the unique index on its key. Every
 *      other write replaces the head on condition that state, version, last write and fence are as they were read.
 *   4. Settle. The entry goes from the usage document, soon, together with others; it takes its bytes with it when the
 *      write was not made (or, for a deletion, when it was).
 *
 * That one command is only a shorter way for both: an ordered list of the same writes, the reservation first. The
 * database stops it at the first that fails. When there is not room for all of it, that is the reservation, and the two
 * are made one after the other, as they are for as long as the Workspace is short of room. When a key is taken, the
 * pushes behind it have their reservation and are inserted afterwards. Cut off in the middle, it leaves what a crash after
 * 1 leaves; without an answer, what no answer to 3 leaves. Arriving late it reserves late, or finds no room. Such lists of several
 * Workspaces may travel one behind the other (`quota/pooled-writes.ts`); the database has not looked at those behind the one at
 * which it stopped, and they are sent by themselves.
 *
 * A crash after 1 or 2 leaves a reservation of a write that was not made; after 3, one of a write that was made. Both
 * look the same from the usage document: the reservation is in doubt. So is the reservation of a writer that had no
 * answer to 3, whose connection broke or whose time was over; what it sent may arrive a minute later.
 *
 * Recovery decides a reservation in doubt at once, because it either finds the write or makes it impossible:
 *
 *   - A push: insert a void under the record id. The id is taken: look what took it; it was committed, if not another's
 *     void. The void is in: aborted, for the insert fails on that id if it still comes. Voids are seen by no operation
 *     and expire after days.
 *   - A replace, patch or deletion: raise the fence of the head, if it still has the version that the write was
 *     prepared on. The commit has the fence in its condition, so it fails for good: aborted. If the version has passed,
 *     head and history tell by the write's id which write made it.
 *
 * Nothing here rests on a clock or on how long a message can be under way. A writer that was alive after all sees its
 * commit fail, and begins anew with a fresh attempt: a push with another record id, the others with the head as it is now.
 *
 * Who decides:
 *   - A writer that finds no room (`quota.reserve`). It is refused only if what is stored beyond doubt leaves none. Else
 *     it settles what is decided, decides what has been in doubt for the grace of two seconds, waits for the younger
 *     ones, and tries again until its deadline; then it gets 503. The grace is a matter of politeness: without it two
 *     live writers that are short of room would abort each other.
 *   - Every replica in the background (`recovery/recovering.ts`), for what was abandoned and nobody is in need of.
 *   - A reader of the usage (`usages.show`) takes reservations as they stand at one point in time; it decides nothing.
 *
 * A key that exists answers first: before a refusal is given, whatever the reason, the key is looked up once more. The
 * happy path has no look-up: the unique index (push) or the head that the commit compares (replace, patch) sees to it.
 *
 * A deletion puts a tombstone in place of the head (commit), settles every reservation of the Record while its history
 * can still tell of them, and then removes the history. Cut off at any point, it is finished by the next call or in the
 * background. A copy (2) that arrives after that is found by no reader; a second look some minutes later removes it.
 *
 * The recount (`recovery/recount.ts`) sums what is stored at one point in time and mends what may have drifted all the
 * same: by a fault in this code, or a restored backup.
 */
import { ActionError, newId, type StoredRecord, type Timed } from '@action-platform/contracts';
import type { ExactJson } from '@action-platform/json';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord, type Head } from '../storage/stored-head.ts';
import { currentRevision, describeRecordAt } from '../storage/stored-revision.ts';
import { type KeyedWrite, requireSameInput, type WriteResult } from './keyed-write.ts';
import { pushed } from './next-head.ts';
import { requireSize } from './preconditions.ts';

/** A push of a new Record. */
export interface Push extends Timed {
  workspaceId: string;
  collectionId: string;
  userId: string;
  payload: ExactJson;
  keyed: KeyedWrite | undefined;
}

/**
 * Stores a new Record with version 1.
 *
 * @throws ActionError `record_store_payload_too_large`, `record_store_quota_exceeded`,
 *   `record_store_idempotency_conflict`, or `record_store_record_not_found` when the Record of the key was deleted;
 *   `action_platform_unavailable` when nothing came of it until the deadline.
 */
export async function push(dependencies: Dependencies, request: Push): Promise<WriteResult> {
  for (;;) {
    const head = pushed({ ...request, recordId: newId('record') }, request);
    let refusal: ActionError | undefined;
    try {
      if (await reserveAndInsert(dependencies, head, request)) {
        return { record: describeRecord(head), isReplay: false };
      }
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      refusal = error;
    }
    const record = await firstOutcome(dependencies, request);
    if (record !== undefined) return { record, isReplay: true };
    if (refusal !== undefined) throw refusal;
    // Not inserted, though the key is free: recovery has aborted this attempt.
  }
}

/** One attempt, in one trip to the database, or two when room is short; false when the key is taken or recovery has aborted the attempt. */
async function reserveAndInsert(
  { limits, quota, heads }: Dependencies,
  head: Head,
  request: Push,
): Promise<boolean> {
  requireSize('payload', request.payload, limits.RECORD_PAYLOAD_MAX_BYTES);
  const { workspace_id, _id: record_id, write_id, version, bytes } = head;
  const change = { kind: 'revision', write_id, record_id, version, bytes } as const;
  const reservation = await quota.reserve(workspace_id, change, request, heads.insertion(head));
  return await reservation.commit(() => heads.insert(head, request));
}

/** The outcome of the first push with the key; undefined without a key or an earlier push. */
async function firstOutcome(
  { heads, revisions }: Dependencies,
  request: Push,
): Promise<StoredRecord | undefined> {
  const { workspaceId, collectionId, keyed } = request;
  if (keyed === undefined) return undefined;
  const head = await heads.findByPushKey(workspaceId, collectionId, keyed.key, request);
  if (head === null) return undefined;
  requireSameInput(head.push_fingerprint, keyed);
  if (head.state !== 'deleted') {
    const first = head.version === 1 ? currentRevision(head) : await revisions.findFirst(head, request);
    if (first !== null) return describeRecordAt(head, first);
  }
  throw new ActionError('record_store_record_not_found', {
    message: 'The Record that this idempotency_key pushed was permanently deleted.',
  });
}
