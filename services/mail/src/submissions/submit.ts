import { randomUUID } from 'node:crypto';
import { ActionError } from '@action-platform/contracts';
import type { CallContext } from '@action-platform/service-host';
import type { Submission, SubmissionOutcome, SubmittedEmail } from '../attempts/attempt-document.ts';
import type { MailParts } from '../mail-parts.ts';
import type { DraftMessage } from '../messages/draft-message.ts';
import { type Draft, DraftRefused, type Mailbox, type MailProvider } from '../providers/provider.ts';
import { LEASE_MS, Lease } from './lease.ts';

/** An e-mail that passed every rule, and where its draft goes. */
export interface Order {
  readonly email: SubmittedEmail;
  readonly message: DraftMessage;
  readonly mailbox: Mailbox;
  readonly provider: MailProvider;
}

/** The submission as it stands after a call, and whether an earlier call had opened it. */
export interface Submitted {
  readonly submission: Submission;
  readonly isReplay: boolean;
}

/**
 * Keeps an e-mail as one draft, however often and by however many calls it is submitted, and wherever they die:
 * 1. the submission is recorded under its key as `unknown`;
 * 2. the provider keeps the draft, which carries the marker of the key;
 * 3. the outcome is recorded.
 * A call that finds a submission without an outcome first looks for the marker at the provider.
 *
 * @throws ActionError `mail_idempotency_conflict` when the key was used for another e-mail.
 */
export async function submit(parts: MailParts, order: Order, context: CallContext): Promise<Submitted> {
  const { attempts } = parts;
  const { submission, isNew } = await attempts.open(order.email);
  if (submission.fingerprint !== order.email.fingerprint) throw new ActionError('mail_idempotency_conflict');
  // The call that opened the submission is the first one, whoever else works on it at the same time.
  const isReplay = !isNew;
  if (submission.outcome !== 'unknown') return { submission, isReplay };

  const outcome = await draftOnce(parts, order, { submission, isNew }, context);
  return {
    submission: outcome === undefined ? submission : await attempts.settle(submission, outcome),
    isReplay,
  };
}

/** What became of the draft; undefined when it cannot be told yet. */
async function draftOnce(
  { documents }: MailParts,
  { provider, mailbox, message }: Order,
  { submission, isNew }: { submission: Submission; isNew: boolean },
  { deadline, log }: CallContext,
): Promise<SubmissionOutcome | undefined> {
  const signal = untilNobodyWaits(deadline);
  const lease = provider.createsOnce ? undefined : new Lease(documents, submission, randomUUID());
  const turn = lease === undefined ? (isNew ? 'first' : 'again') : await lease.take();
  try {
    if (turn !== 'first') {
      const earlier = await provider.findDraft(mailbox, message.marker, signal);
      if (earlier !== undefined) return drafted(earlier);
      if ((await lease?.confirm()) === false) return undefined;
    }
    return drafted(await provider.createDraft(mailbox, message, signal));
  } catch (error) {
    if (error instanceof DraftRefused) {
      return { outcome: 'failed', correlation: error.correlation };
    }
    log.warn({ err: error }, 'it cannot be told whether there is a draft');
    return undefined;
  }
}

/** Aborts when the requester stops waiting, and in good time before a lease may be taken over. */
function untilNobodyWaits(deadline: number): AbortSignal {
  const remainingMs = Math.max(0, Math.ceil(deadline - performance.now()));
  return AbortSignal.timeout(Math.min(remainingMs, LEASE_MS / 2));
}

function drafted({ draftId, draftUrl, correlation }: Draft): SubmissionOutcome {
  return { outcome: 'drafted', draft_id: draftId, draft_url: draftUrl, correlation };
}
