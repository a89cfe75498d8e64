import { inBackground } from '@action-platform/contracts/calls';
import { ActionError, failureLevel } from '@action-platform/contracts/errors';
import { SecretUnreadable } from '@action-platform/sealing';
import type { OperationContext } from '@action-platform/service-host';
import type { Accounts, KnownAccount } from '../accounts/accounts.ts';
import { maySignIn, REFUSED_PAUSE_MS } from '../accounts/recheck.ts';
import { type Attempts, DRAFT_LEASE_MS, type OpenedSubmission } from '../attempts/attempts.ts';
import type {
  AcceptedEmail,
  StoredSubmission,
  SubmissionOutcome,
  Unresolved,
} from '../attempts/stored-attempt.ts';
import type { DraftMessage } from '../messages/rfc5322.ts';
import {
  type Draft,
  DraftRefused,
  type MailProviders,
  MailUnavailable,
  SignInRefused,
} from '../providers/provider.ts';
import { type AttemptTime, attemptTime, Slots, whenAvailable } from '../providers/slots.ts';
import type { EmailInput } from './submission-key.ts';

/** The part of a call's time that its answer keeps, in milliseconds. */
const FOR_THE_ANSWER_MS = 250;

/** The outcome while the mail system refuses the account of the mailbox. */
const REFUSED: Unresolved = {
  outcome: 'unknown',
  reason: 'sign_in_refused',
  againIn: REFUSED_PAUSE_MS / 1000,
};
/** The outcome without access to the mailbox: a repetition cannot resolve it until a person acts, so jobs wait an hour. */
const NO_ACCESS: Unresolved = { outcome: 'unknown', reason: 'no_access', againIn: 3600 };

/** The dependencies of drafting. */
export interface DraftingParts {
  readonly attempts: Attempts;
  readonly accounts: Accounts;
  readonly providers: MailProviders;
}

/** Makes the draft of a submission at its provider, at most one (steps 4 to 6 of `submissions.ts`). */
export class Drafting {
  readonly #parts: DraftingParts;
  readonly #slots = new Slots();

  constructor(parts: DraftingParts) {
    this.#parts = parts;
  }

  /**
   * Makes an attempt when it gets a slot of this mailbox.
   *
   * @throws ActionError `action_platform_unavailable` when the mailbox has no slot in time, or its provider no capacity.
   */
  async inSlot<Result>(
    { workspace_id, mailbox }: AcceptedEmail,
    context: OperationContext,
    attempt: (time: AttemptTime) => Promise<Result>,
  ): Promise<Result> {
    const time = attemptTime(
      Math.min(context.deadline - FOR_THE_ANSWER_MS, performance.now() + DRAFT_LEASE_MS / 2),
    );
    const account = `${workspace_id} ${mailbox.account_id}`;
    const atOnce = this.#parts.providers.get(mailbox.provider)?.attemptsAtOnce ?? Infinity;
    try {
      return await this.#slots.take(account, atOnce, time, () => attempt(time));
    } catch (error) {
      if (!(error instanceof MailUnavailable)) throw error;
      throw new ActionError('action_platform_unavailable', { retryAfter: error.retryAfterSeconds });
    }
  }

  /** The outcome of the draft, or why it is unknown. Throws MailUnavailable when the provider has no capacity. */
  async draft(
    { submission, isNew }: OpenedSubmission,
    input: EmailInput,
    time: AttemptTime,
    context: OperationContext,
  ): Promise<SubmissionOutcome | Unresolved> {
    const { attempts, accounts, providers } = this.#parts;
    const { marker, mailbox } = submission;
    const provider = providers.get(mailbox.provider);
    if (provider === undefined) return NO_ACCESS;
    const account = await this.#accountOf(submission, context);
    if (account === undefined) return NO_ACCESS;
    if (!(await maySignIn(account, accounts, context))) return REFUSED;
    const { createsOnce, foundWithinMs } = provider;
    const ids = { workspace_id: submission.workspace_id, attempt_id: submission._id };
    const onInterrupted = (failures: number) =>
      context.log.warn(
        { ...ids, failures },
        'a process ended while it made a draft; attempts wait longer after the next time',
      );
    const lease = createsOnce ? undefined : attempts.leaseOn(submission, onInterrupted, foundWithinMs);
    const attempt = lease === undefined ? (isNew ? 'first' : 'again') : await lease.take(context);
    const unclear = async (): Promise<Unresolved> => {
      const againInMs = (await lease?.remainingMs(inBackground)) ?? 0;
      return { outcome: 'unknown', reason: 'unclear', againIn: Math.max(1, Math.ceil(againInMs / 1000)) };
    };
    const signInWorked = async () => {
      if (account.isRefused) await accounts.markWorking(account, inBackground);
    };
    const inTime = <Result>(call: () => Promise<Result>) => whenAvailable(call, time);
    try {
      if (attempt !== 'first') {
        const earlier = await inTime(() => provider.findDraft(account, marker, time.signal));
        await signInWorked();
        if (earlier !== undefined) return drafted(earlier);
        if ((await lease?.confirm(context)) === false) return await unclear();
      }
      const message = messageOf(input, submission);
      const created = await inTime(() => provider.createDraft(account, message, time.signal));
      const isAlone = attempt === 'first' || provider.keepOne === undefined;
      const kept = isAlone
        ? created
        : await inTime(() => provider.keepOne!(account, created, marker, time.signal)).catch(twoAtMost);
      await signInWorked();
      return drafted(kept);
    } catch (error) {
      if (error instanceof DraftRefused) {
        await signInWorked();
        return { outcome: 'failed', correlation: error.correlation };
      }
      if (error instanceof MailUnavailable) {
        const { cause: err } = error;
        if (err !== undefined) context.log.warn({ err, ...ids }, 'a mail system cannot be reached');
        await lease?.end(inBackground);
        throw error;
      }
      context.log[failureLevel(error)]({ err: error, ...ids }, 'the outcome of a draft is unknown');
      if (error instanceof SignInRefused) {
        await lease?.end(inBackground);
        await accounts.markRefused(account, inBackground);
        return REFUSED;
      }
      // Something may have been done: no other attempt makes a draft before the time of the lease.
      await lease?.endAttempt(inBackground);
      return await unclear();
    }
  }

  /** The account of a submission's mailbox; undefined when it was deleted, or its secret cannot be read. */
  async #accountOf(
    { workspace_id: workspaceId, mailbox: { account_id: accountId } }: StoredSubmission,
    context: OperationContext,
  ): Promise<KnownAccount | undefined> {
    try {
      return await this.#parts.accounts.find({ workspaceId, accountId }, context);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      context.log.error({ err: error }, 'the secret of a mailbox cannot be read');
      return undefined;
    }
  }
}

function drafted({ draftId, draftUrl, correlation }: Draft): SubmissionOutcome {
  return { outcome: 'drafted', draft_id: draftId, draft_url: draftUrl, correlation };
}

/** Throws an error after a creation: whatever it says, something was done, and no other attempt may create at once. */
function twoAtMost(error: unknown): never {
  throw new Error('it is unclear whether there is one draft', { cause: error });
}

/** The message of a submission, the same at every attempt. */
function messageOf(input: EmailInput, { marker, mailbox, logged_at }: StoredSubmission): DraftMessage {
  return {
    marker,
    from: { name: mailbox.display_name, address: mailbox.email },
    to: input.to,
    cc: input.cc ?? [],
    subject: input.subject,
    body: input.body,
    date: logged_at,
  };
}
