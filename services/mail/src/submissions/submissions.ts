/*
 * The steps from an e-mail to one draft.
 *
 * No transaction spans the database and a mail system, so a draft is made in steps that can be repeated. The marker, a hash
 * of the idempotency key and its scope, ties them together: the submission is unique by it and the draft carries it, so a
 * later attempt can tell whether the draft exists.
 *
 *   1. Look.     An existing key answers before any rule: the same e-mail gets its first outcome, another one a conflict. A
 *                retry must not fail because its sender was closed since.
 *   2. Accept.   The rules resolve the sender. A refusal here is a `denied` entry of the history, and the key stays unused. A
 *                Workspace at its limit of a day is refused too, without an entry.
 *   3. Open.     When an attempt gets a slot of the mailbox, one insert under the unique marker, with the outcome
 *                `unknown` and the mailbox of the draft. Now the key exists. Of concurrent calls one inserts, and the others
 *                go on as if they had found it. The first call of a key that gets no slot in time has stored nothing.
 *   4. Lease.    One attempt at a time takes the lease of the submission. A provider that is atomic by marker
 *                (`createsOnce`) needs none.
 *   5. Search.   The provider searches for a draft with the marker, unless no attempt can have reached step 6 before.
 *   6. Create.   The provider keeps the draft, within half the duration of a lease. After an earlier attempt it looks again,
 *                because the draft of that one may have arrived since the search, and keeps one of the two.
 *   7. Settle.   One write records the outcome, `drafted` or `failed`, and ends the lease.
 *
 * The state after a crash, a lost answer or an error in each step, and its resolution:
 *
 *   1, 2   Nothing. The retry of the client is a first call.
 *   3      An `unknown` submission without a draft. The next call with the key continues with step 4.
 *   4      The same with a lease. Calls search, and are answered `unknown` with the rest of its time until it expires (30 s, by the
 *          database's clock, and `foundWithinMs` of the provider; twice as long after each attempt in a row that ended its process); the
 *          first call after that takes it and continues with step 5.
 *   5      As after 4: a search changes nothing.
 *   6      A draft without a recorded outcome. The next attempt with the lease finds it by its marker and settles. A slow
 *          attempt settles its own: `drafted` replaces a `failed` that another attempt recorded, because the draft exists.
 *   7      Nothing. Each later call repeats the outcome.
 *
 * An account that was deleted leaves the submission `unknown`. A refused sign-in does so too, and ends the lease, because nothing
 * was done; until a sign-in works, all calls together sign in to such an account once a minute. A provider without capacity ends the lease
 * as well: the call is answered 503, and a retry goes on with step 5.
 *
 * A retry takes sender, address and account from the submission, and never resolves them again. The retry composes its own message,
 * which the fingerprint proves to be the same; with the date of the submission the messages are equal to the byte.
 *
 * No background job resolves `unknown` submissions: a client that does not retry does not need the outcome, and the history
 * says `failed` with `unknown` in its view. A draft is never sent, so an unclaimed one does no harm.
 */
import { jobOf, type Principal } from '@action-platform/contracts/authority';
import type { Origin } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { OperationContext } from '@action-platform/service-host';
import type { Attempts, OpenedSubmission } from '../attempts/attempts.ts';
import type { AcceptedEmail, Attempt, StoredSubmission, Unresolved } from '../attempts/stored-attempt.ts';
import type { AttemptTime } from '../providers/slots.ts';
import { resolveSender } from '../senders/resolve-sender.ts';
import { type Senders, viewerOf } from '../senders/senders.ts';
import { Drafting, type DraftingParts } from './drafting.ts';
import { type EmailInput, emailFingerprint, submissionKey } from './submission-key.ts';

/** The present state of a submission. */
interface Completed {
  readonly submission: StoredSubmission;
  /** Why its outcome is unknown; present when it is. */
  readonly unresolved?: Unresolved;
}

/** The present state of a call's submission, and its key. */
export interface Submitted extends Completed {
  readonly key: string;
}

interface SubmissionsOptions extends DraftingParts {
  readonly senders: Senders;
}

/** Makes one draft of each e-mail, however often and by however many calls it is submitted. */
export class Submissions {
  readonly #attempts: Attempts;
  readonly #senders: Senders;
  readonly #drafting: Drafting;

  constructor({ senders, ...parts }: SubmissionsOptions) {
    this.#attempts = parts.attempts;
    this.#senders = senders;
    this.#drafting = new Drafting(parts);
  }

  /**
   * Submits an e-mail. Each call but the one that opened the submission is marked as a replay.
   *
   * @throws ActionError of the first rule that refuses it, or `mail_idempotency_conflict` when the key names another
   *   e-mail.
   */
  async submit(input: EmailInput, context: OperationContext): Promise<Submitted> {
    const { principal, requestId } = context;
    const { key, marker } = submissionKey(input, principal, requestId);
    const first = await this.#attempts.find(principal.workspaceId, marker, context);
    const completed =
      first === null ? await this.#first(input, marker, context) : await this.#again(first, input, context);
    return { ...completed, key };
  }

  /** The first call with a key. The rules are checked before it gets a slot, and the limit then. */
  async #first(input: EmailInput, marker: string, context: OperationContext): Promise<Completed> {
    const email = await this.#accept(input, marker, context);
    return await this.#drafting.inSlot(email, context, async (time) => {
      const hasRoom = await this.#attempts.hasRoom(email.workspace_id, context);
      const opened = await this.#attempts.open(email, hasRoom, context);
      if (!opened.isNew) markRepetition(opened.submission, input, context);
      return await this.#complete(opened, input, time, context);
    });
  }

  /** A later call with the key of this submission. */
  async #again(
    submission: StoredSubmission,
    input: EmailInput,
    context: OperationContext,
  ): Promise<Completed> {
    markRepetition(submission, input, context);
    if (submission.outcome !== 'unknown') return { submission };
    const opened = { submission, isNew: false };
    return await this.#drafting.inSlot(submission, context, (time) =>
      this.#complete(opened, input, time, context),
    );
  }

  /** The e-mail with its resolved sender; throws the refusal of the first rule that denies it. */
  async #accept(input: EmailInput, marker: string, context: OperationContext): Promise<AcceptedEmail> {
    const { principal, granted } = context;
    const isScheduled = jobOf(principal) !== undefined;
    const visible = await this.#senders.visibleTo(viewerOf(principal), context);
    const { senderId, type, mailbox } = resolveSender(visible, input.sender_id, isScheduled, granted);
    if (isScheduled && input.output_definition === undefined) {
      throw new ActionError('mail_output_definition_required');
    }
    return {
      ...attemptOf(input, principal, context.origin),
      sender_id: senderId,
      sender_type: type,
      marker,
      fingerprint: emailFingerprint(input),
      mailbox,
    };
  }

  async #complete(
    opened: OpenedSubmission,
    input: EmailInput,
    time: AttemptTime,
    context: OperationContext,
  ): Promise<Completed> {
    const { submission } = opened;
    if (submission.outcome !== 'unknown') return { submission };
    const result = await this.#drafting.draft(opened, input, time, context);
    return result.outcome === 'unknown'
      ? { submission, unresolved: result }
      : { submission: await this.#attempts.settle(submission, result, context.origin) };
  }
}

/** The fields of a call's history entry, whatever its outcome. */
export function attemptOf(input: EmailInput, principal: Principal, origin: Origin): Attempt {
  const job = jobOf(principal);
  return {
    workspace_id: principal.workspaceId,
    user_id: principal.userId,
    routine_grant_id: job?.id,
    automation_grant_id: job === undefined ? principal.routine?.id : undefined,
    operation_grant_id: principal.operationGrantId,
    sender_id: input.sender_id,
    recipient_count: input.to.length + (input.cc?.length ?? 0),
    subject: input.subject,
    origin,
  };
}

/** Marks a call as a replay; throws when its key is that of another e-mail. */
function markRepetition(
  { fingerprint }: StoredSubmission,
  input: EmailInput,
  context: OperationContext,
): void {
  if (fingerprint !== emailFingerprint(input)) throw new ActionError('mail_idempotency_conflict');
  context.markReplayed();
}
