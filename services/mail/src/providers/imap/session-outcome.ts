import { z } from 'zod';
import { DraftRefused, MailUnavailable, SignInRefused } from '../provider.ts';
import { ImapFailure, isCode, NoDraftsFolder, RETRY_MAX_SECONDS, unreachable } from './thread/refusals.ts';
import type { SessionOutcome } from './thread/task.ts';

/** The outcomes that a thread may report. A server that misused the client in it reaches nothing else of the service. */
const outcomes: z.ZodType<SessionOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('done'), isFound: z.boolean() }),
  z.strictObject({ kind: z.literal('sign_in_refused'), message: z.string().regex(/^\P{C}{1,500}$/u) }),
  z.strictObject({
    kind: z.literal('mail_unavailable'),
    retryAfterSeconds: z.int().min(0).max(RETRY_MAX_SECONDS),
  }),
  z.strictObject({ kind: z.literal('unreachable'), code: z.string().refine(isCode) }),
  z.strictObject({ kind: z.literal('no_drafts_folder') }),
  z.strictObject({ kind: z.literal('draft_refused') }),
  z.strictObject({ kind: z.literal('failed'), code: z.string().refine(isCode) }),
]);

/**
 * Whether a session found a draft.
 *
 * @param reported the message of its thread.
 * @throws SignInRefused, MailUnavailable, NoDraftsFolder, DraftRefused or ImapFailure, as the session ended.
 */
export function resultOf(reported: unknown): boolean {
  const { success, data: outcome } = outcomes.safeParse(reported);
  if (!success) throw new ImapFailure('no outcome');
  switch (outcome.kind) {
    case 'done':
      return outcome.isFound;
    case 'sign_in_refused':
      throw new SignInRefused(outcome.message);
    case 'mail_unavailable':
      throw new MailUnavailable(outcome.retryAfterSeconds);
    case 'unreachable':
      throw unreachable(new ImapFailure(outcome.code));
    case 'no_drafts_folder':
      throw new NoDraftsFolder('The server marks no folder with \\Drafts');
    case 'draft_refused':
      throw new DraftRefused();
    case 'failed':
      throw new ImapFailure(outcome.code);
  }
}
