import { randomUUID } from 'node:crypto';
import type { Principal } from '@action-platform/contracts/authority';
import { inBackground, type Origin, type Timed } from '@action-platform/contracts/calls';
import { type ErrorCode, limitReached } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { CountedLimit, Limits } from '@action-platform/contracts/limits';
import { Lease, type Repeated, unlessTaken, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { AttemptsPerDay } from './attempts-per-day.ts';
import {
  type AcceptedEmail,
  type Attempt,
  retention,
  type Settlement,
  type StoredAttempt,
  type StoredDenial,
  type StoredSubmission,
  type SubmissionOutcome,
} from './stored-attempt.ts';

/** The most entries of a listing. */
const HISTORY_LENGTH = 500;

/**
 * The duration of the lease on a draft, in milliseconds. A provider gets half of it, so that its work has ended before the
 * next holder begins.
 */
export const DRAFT_LEASE_MS = 30_000;
/** The longest lease, after attempts that ended their processes, in milliseconds. */
const LONGEST_LEASE_MS = 3_600_000;

/** A submission, and whether this very call opened it. */
export interface OpenedSubmission {
  readonly submission: StoredSubmission;
  readonly isNew: boolean;
}

/** The attempts to draft e-mails: submissions by key, and the history, which lists the same documents by time. */
export class Attempts {
  readonly #attempts: Collection<StoredAttempt>;
  /** The same collection, for filters that match submissions only. */
  readonly #submissions: Collection<StoredSubmission>;
  readonly #max: CountedLimit;
  readonly #perDay: AttemptsPerDay;

  constructor(
    attempts: Collection<StoredAttempt>,
    { WORKSPACE_EMAILS_PER_DAY_MAX }: Pick<Limits, 'WORKSPACE_EMAILS_PER_DAY_MAX'>,
  ) {
    this.#attempts = attempts;
    this.#max = WORKSPACE_EMAILS_PER_DAY_MAX;
    this.#perDay = new AttemptsPerDay(attempts, this.#max);
    this.#submissions = attempts as unknown as Collection<StoredSubmission>;
  }

  /**
   * Records that a rule denied an attempt, unless the Workspace has the most denials of a day. `deny` does not end with
   * the deadline of the caller.
   */
  async deny(attempt: Attempt, code: ErrorCode): Promise<void> {
    const denial: StoredDenial = {
      ...attempt,
      ...logged(retention.denialMs),
      outcome: 'denied',
      error_code: code,
    };
    if (await this.#perDay.hasRoom(attempt.workspace_id, 'denials', inBackground)) {
      await this.#attempts.insertOne(denial, within(inBackground));
    }
  }

  /** The submission of a key; null for an unused key. */
  async find(workspaceId: string, marker: string, timed: Timed): Promise<StoredSubmission | null> {
    return await this.#submissions.findOne({ workspace_id: workspaceId, marker }, within(timed));
  }

  /** Whether the Workspace may submit another e-mail today. */
  async hasRoom(workspaceId: string, timed: Timed): Promise<boolean> {
    return await this.#perDay.hasRoom(workspaceId, 'submissions', timed);
  }

  /**
   * Inserts the submission of a key, or returns the first one.
   *
   * @param hasRoom whether the Workspace may submit another e-mail.
   * @throws ActionError `invalid_request` when it may not and the key is unused.
   */
  async open(email: AcceptedEmail, hasRoom: boolean, timed: Timed): Promise<OpenedSubmission> {
    const submission: StoredSubmission = { ...email, ...logged(retention.submissionMs), outcome: 'unknown' };
    if (hasRoom && (await unlessTaken(this.#attempts.insertOne(submission, within(timed)))))
      return { submission, isNew: true };
    const first = await this.find(email.workspace_id, email.marker, timed);
    if (first !== null) return { submission: first, isNew: false };
    if (hasRoom) throw new Error('the first submission of a key has disappeared');
    const wayOut = 'Repeat the call later.';
    throw limitReached(`The Workspace has submitted ${this.#max} e-mails within 24 hours`, wayOut);
  }

  /**
   * The right to create the draft of a submission whose outcome is unknown. Attempts that end their processes wait longer each time.
   *
   * @param foundWithinMs how long a search may miss a new draft: so much longer no other attempt creates one.
   */
  leaseOn(
    { _id, workspace_id }: StoredSubmission,
    onInterrupted: Repeated['onInterrupted'],
    foundWithinMs = 0,
  ): Lease<StoredSubmission> {
    return new Lease(this.#submissions, {
      filter: { _id, workspace_id, outcome: 'unknown' },
      owner: randomUUID(),
      durationMs: DRAFT_LEASE_MS + foundWithinMs,
      repeated: { longestMs: LONGEST_LEASE_MS, onInterrupted },
    });
  }

  /**
   * Records the outcome of a submission. The first outcome stays, except that `drafted` replaces `failed`: a slower
   * attempt proves that the draft exists. `settle` does not end with the deadline of the caller.
   *
   * @returns the recorded submission.
   */
  async settle(
    { _id, workspace_id }: StoredSubmission,
    outcome: SubmissionOutcome,
    origin: Origin,
  ): Promise<StoredSubmission> {
    const replaceable: StoredSubmission['outcome'][] =
      outcome.outcome === 'drafted' ? ['unknown', 'failed'] : ['unknown'];
    const settlement: Settlement = { at: new Date(), ...origin };
    const settled = await this.#submissions.findOneAndUpdate(
      { _id, workspace_id, outcome: { $in: replaceable } },
      { $set: { ...outcome, [`settled.${outcome.outcome}`]: settlement }, $unset: { lease: '' } },
      { returnDocument: 'after', ...within(inBackground) },
    );
    const recorded =
      settled ?? (await this.#submissions.findOne({ _id, workspace_id }, within(inBackground)));
    // An erasure may have deleted it.
    if (recorded === null) throw new Error('a submission has disappeared');
    return recorded;
  }

  /**
   * The history that a caller may see, newest first: of a Member their own attempts, of an Owner the Workspace's.
   *
   * @param granted the sender ids that a grant lists; undefined when nothing is limited.
   */
  async visibleTo(
    { workspaceId, userId, role, routine }: Principal,
    timed: Timed,
    granted?: readonly string[],
  ): Promise<StoredAttempt[]> {
    // A grant's data scope is closed: of other senders a grant sees only its own attempts.
    const scope =
      granted === undefined
        ? {}
        : {
            $or: [
              { sender_id: { $in: granted } },
              { routine_grant_id: routine!.id },
              { automation_grant_id: routine!.id },
            ],
          };
    return await this.#attempts
      .find(
        {
          workspace_id: workspaceId,
          logged_at: { $gt: new Date(Date.now() - retention.listedMs) },
          ...(role === 'owner' ? {} : { user_id: userId }),
          ...scope,
        },
        within(timed),
      )
      .sort({ logged_at: -1, _id: -1 })
      .limit(HISTORY_LENGTH)
      .toArray();
  }
}

/** The fields of a history entry. Ids of one process sort by time, also within a millisecond. */
function logged(keptForMs: number) {
  const now = Date.now();
  return { _id: newId('attempt'), logged_at: new Date(now), expires_at: new Date(now + keptForMs) };
}
