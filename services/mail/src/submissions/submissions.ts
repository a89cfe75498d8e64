/*
 * How an e-mail becomes one draft
 *
 * Nothing spans our database and a mail system, so a draft is made in steps, each of which can be repeated. What ties
 * them together is the marker: a hash of the idempotency key and whose it is. The submission is unique by it, and the
 * draft carries it, so whoever comes later can tell whether there is one.
 *
 *   1. Look.     The key is looked up. One that exists answers, before any rule is asked: the same e-mail gets its first
 *                outcome, another one a conflict. A retry must not fail because a sender was closed since.
 *   2. Accept.   The rules resolve the sender. What refuses the call here is a `denied` entry of the history, and the
 *                key stays free. A Workspace that has submitted as many e-mails as it may in a day is refused here too,
 *                without an entry.
 *   3. Open.     One insert under the unique marker: outcome `unknown`, with the mailbox that the draft goes to. From now
 *                on the key exists. Of several who come at once one inserts; the others go on as if they had found it.
 *   4. Turn.     At a provider that would make a draft each time it is asked, one attempt at a time may work: it has the
 *                lease of the submission. A provider that is atomic by marker (`createsOnce`) needs none.
 *   5. Search.   Unless nobody can have been at step 6 before, the provider is asked for a draft with the marker.
 *   6. Create.   The provider keeps the draft. It is given up in half the time of a lease.
 *   7. Settle.   The outcome is recorded, `drafted` or `failed`, and the lease goes with the same write.
 *
 * What a crash, a lost answer or an error leaves after each step, and who mends it:
 *
 *   1, 2   Nothing. The client retries, and that is a first call.
 *   3      An `unknown` submission without a draft. The next call with the key goes on from step 4.
 *   4      The same with a lease. Calls are answered `unknown` until its time is over (30 s, by the database's clock);
 *          the first one after that takes it and goes on, searching first.
 *   5      As after 4: a search changes nothing.
 *   6      A draft that nobody has recorded. The next call that has the turn finds it by its marker and settles. If the
 *          attempt that created it was only slow, it settles itself: `drafted` replaces even a `failed` that another
 *          attempt recorded in between, because a draft that is there is a fact.
 *   7      Nothing. Every later call repeats the outcome.
 *
 * A retry goes where the first call meant to go: sender, address and provider are those of the submission, never resolved
 * anew. The message is the retry's own, which the fingerprint proves to be the same. Only the connection is that of the
 * retry, because an earlier one may have ended.
 *
 * There is no sweeper. Who does not retry does not need to know, and the history says `failed`, with `unknown` in its
 * view. A draft is never sent, so one that nobody asks for again does no harm.
 */
import { randomUUID } from 'node:crypto';
import { ActionError, type Principal } from '@action-platform/contracts';
import type { OperationContext } from '@action-platform/service-host';
import { type Attempts, DRAFT_LEASE_MS, type OpenedSubmission } from '../attempts/attempts.ts';
import type {
  AcceptedEmail,
  Attempt,
  DraftMailbox,
  StoredSubmission,
  SubmissionOutcome,
} from '../attempts/stored-attempt.ts';
import type { DraftMessage } from '../messages/rfc5322.ts';
import { type Draft, DraftRefused, type MailProviders } from '../providers/provider.ts';
import { resolveSender } from '../senders/resolve-sender.ts';
import { type Senders, viewerOf } from '../senders/senders.ts';
import { type EmailInput, fingerprintOf, submissionKey } from './submission-key.ts';

/** The submission of a call as it stands now, and the key that the caller knows it by. */
export interface Submitted {
  readonly submission: StoredSubmission;
  readonly key: string;
}

/** Makes drafts of e-mails, each once, however often and by however many calls it is submitted. */
export class Submissions {
  readonly #attempts: Attempts;
  readonly #senders: Senders;
  readonly #providers: MailProviders;

  constructor(attempts: Attempts, senders: Senders, providers: MailProviders) {
    this.#attempts = attempts;
    this.#senders = senders;
    this.#providers = providers;
  }

  /**
   * Submits an e-mail. Every call but the one that opened the submission is marked as a replay.
   *
   * @throws ActionError of the first rule that refuses it, or `mail_idempotency_conflict` when the key names another
   *   e-mail.
   */
  async submit(input: EmailInput, context: OperationContext): Promise<Submitted> {
    const { principal, requestId } = context;
    const { key, marker } = submissionKey(input, principal, requestId);
    const first = await this.#attempts.find(principal.workspaceId, marker, context);
    const opened =
      first === null ? await this.#open(input, marker, context) : { submission: first, isNew: false };
    if (!opened.isNew) {
      requireSameEmail(opened.submission, input);
      context.markReplayed();
    }
    return { submission: await this.#complete(opened, input, context), key };
  }

  /** The rules and the limit of the day are asked together; a rule that refuses the call comes first. */
  async #open(input: EmailInput, marker: string, context: OperationContext): Promise<OpenedSubmission> {
    const [email, hasRoom] = await Promise.all([
      this.#accept(input, marker, context),
      this.#attempts.hasRoom(context.principal.workspaceId, context),
    ]);
    return await this.#attempts.open(email, hasRoom, context);
  }

  /** The e-mail with what its sender comes to, once every rule allows it. */
  async #accept(input: EmailInput, marker: string, context: OperationContext): Promise<AcceptedEmail> {
    const { principal, granted } = context;
    const isScheduled = principal.routine !== undefined;
    const visible = await this.#senders.visibleTo(viewerOf(principal), context, granted);
    const choice = { senderId: input.sender_id, isScheduled };
    const { senderId, type, provider, email, displayName } = resolveSender(visible, choice, this.#providers);
    if (isScheduled && input.output_definition === undefined) {
      throw new ActionError('mail_output_definition_required');
    }
    return {
      ...attemptOf(input, principal),
      sender_id: senderId,
      sender_type: type,
      marker,
      fingerprint: fingerprintOf(input),
      mailbox: { provider, email, display_name: displayName },
    };
  }

  async #complete(
    opened: OpenedSubmission,
    input: EmailInput,
    context: OperationContext,
  ): Promise<StoredSubmission> {
    const { submission } = opened;
    if (submission.outcome !== 'unknown') return submission;
    const outcome = await this.#draftOnce(opened, input, context);
    return outcome === undefined ? submission : await this.#attempts.settle(submission, outcome);
  }

  /** What became of the draft; undefined when it cannot be told yet. */
  async #draftOnce(
    { submission, isNew }: OpenedSubmission,
    input: EmailInput,
    context: OperationContext,
  ): Promise<SubmissionOutcome | undefined> {
    const { principal, deadline, log } = context;
    const { workspace_id: workspaceId, marker, mailbox: kept } = submission;
    const provider = this.#providers.get(kept.provider);
    if (provider === undefined) return undefined;
    const mailbox = { workspaceId, connectionId: principal.connections.mail_suite, email: kept.email };

    const signal = untilNobodyWaits(deadline);
    const lease = provider.createsOnce ? undefined : this.#attempts.leaseOn(submission, randomUUID());
    const turn = lease === undefined ? (isNew ? 'first' : 'again') : await lease.take(context);
    try {
      if (turn !== 'first') {
        const earlier = await provider.findDraft(mailbox, marker, signal);
        if (earlier !== undefined) return drafted(earlier);
        if ((await lease?.confirm(context)) === false) return undefined;
      }
      return drafted(await provider.createDraft(mailbox, messageOf(input, marker, kept), signal));
    } catch (error) {
      if (error instanceof DraftRefused) return { outcome: 'failed', correlation: error.correlation };
      log.warn({ err: error }, 'it cannot be told whether there is a draft');
      return undefined;
    }
  }
}

/** What the history tells of a call, whatever becomes of it. */
export function attemptOf(input: EmailInput, principal: Principal): Attempt {
  return {
    workspace_id: principal.workspaceId,
    user_id: principal.userId,
    routine_grant_id: principal.routine?.id,
    operation_grant_id: principal.operationGrantId,
    sender_id: input.sender_id,
    recipient_count: input.to.length + (input.cc?.length ?? 0),
    subject: input.subject,
  };
}

function requireSameEmail(submission: StoredSubmission, input: EmailInput): void {
  if (submission.fingerprint !== fingerprintOf(input)) throw new ActionError('mail_idempotency_conflict');
}

function messageOf(input: EmailInput, marker: string, { display_name, email }: DraftMailbox): DraftMessage {
  return {
    marker,
    from: { name: display_name, address: email },
    to: input.to,
    cc: input.cc ?? [],
    subject: input.subject,
    body: input.body,
    date: new Date(),
  };
}

/** Aborts when the requester stops waiting, and in good time before a lease may be taken over. */
function untilNobodyWaits(deadline: number): AbortSignal {
  const remainingMs = Math.max(0, Math.ceil(deadline - performance.now()));
  return AbortSignal.timeout(Math.min(remainingMs, DRAFT_LEASE_MS / 2));
}

function drafted({ draftId, draftUrl, correlation }: Draft): SubmissionOutcome {
  return { outcome: 'drafted', draft_id: draftId, draft_url: draftUrl, correlation };
}
