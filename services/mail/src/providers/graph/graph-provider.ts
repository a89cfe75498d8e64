import { mailProviders } from '@action-platform/contracts/calls';
import { type Draft, DraftRefused, type MailProvider, MailUnavailable, SignInRefused } from '../provider.ts';
import { GraphRefusal } from './graph-call.ts';
import { GraphMailbox } from './graph-mailbox.ts';
import { Unreachable } from './request.ts';
import type { GraphAccount, GraphSettings } from './tokens.ts';
import { Tokens } from './tokens.ts';

/** The statuses by which Graph definitely keeps no draft: malformed, forbidden, no such mailbox, too large, mailbox full. */
const DEFINITE = new Set([400, 403, 404, 413, 507]);

/** Microsoft Graph's own bound for the requests of an application to a mailbox at once (Outlook service limits). */
const REQUESTS_AT_ONCE = 4;

/**
 * How long a new draft may be hidden from the filter, in milliseconds, without a second one. Microsoft's documentation names no
 * such delay.
 */
export const FILTER_LAG_MS = 60_000;

/**
 * Mailboxes of Microsoft 365 through Microsoft Graph. A draft is a message with the marker as an extended property, by which it
 * is found in the whole mailbox, also after a person moved, deleted or sent it. Its id is immutable.
 */
export function openGraphProvider(): MailProvider<GraphSettings> {
  const tokens = new Tokens();
  const open = (account: GraphAccount, signal: AbortSignal) => new GraphMailbox(account, tokens, signal);

  return {
    name: 'graph',
    createsOnce: false,
    attemptsAtOnce: REQUESTS_AT_ONCE,
    foundWithinMs: FILTER_LAG_MS,
    ...mailProviders.graph,

    signIn: async (account, signal) => {
      const mailbox = open(account, signal);
      try {
        await mailbox.requireDraftsFolder();
        await mailbox.requireWriting();
      } catch (error) {
        throw signInProblem(error);
      }
    },

    findDraft: (account, marker, signal) => oldestAlone(open(account, signal), marker),

    createDraft: async (account, message, signal) => {
      try {
        return await open(account, signal).create(message);
      } catch (error) {
        if (!(error instanceof GraphRefusal && DEFINITE.has(error.status))) throw error;
        throw new DraftRefused({ cause: error, correlation: error.correlation });
      }
    },

    keepOne: async (account, created, marker, signal) => {
      const mailbox = open(account, signal);
      const oldest = await oldestAlone(mailbox, marker);
      if (oldest === undefined || oldest.draftId === created.draftId) return created;
      // The filter may hide it still.
      await mailbox.remove(created.draftId);
      return oldest;
    },
  };
}

/** The oldest message with a marker, after the removal of the others that nobody has sent or changed. */
async function oldestAlone(mailbox: GraphMailbox, marker: string): Promise<Draft | undefined> {
  const [oldest, ...others] = await mailbox.having(marker);
  for (const { draft, isUntouched } of others) if (isUntouched) await mailbox.remove(draft.draftId);
  return oldest?.draft;
}

/** The reason of a failed sign-in in one line. */
function signInProblem(error: unknown): unknown {
  if (error instanceof GraphRefusal) {
    if (error.status === 403) {
      return refused('The application may not write in this mailbox: it needs Mail.ReadWrite for it', error);
    }
    if (error.status === 404)
      return refused('The tenant has no mailbox with this address and a Drafts folder', error);
    return refused(error.message, error);
  }
  if (error instanceof MailUnavailable && error.cause instanceof Unreachable) {
    return new SignInRefused(error.cause.message, { cause: error });
  }
  return error;
}

function refused(problem: string, cause: GraphRefusal): SignInRefused {
  return new SignInRefused(`${problem}. ${cause.message}`, { cause });
}
