import { mailProviders } from '@action-platform/contracts/calls';
import { idPrefixes } from '@action-platform/contracts/ids';
import { toRfc5322 } from '../../messages/rfc5322.ts';
import {
  type Account,
  type Draft,
  type MailProvider,
  MailUnavailable,
  NO_MAIL_SERVER,
  SignInRefused,
} from '../provider.ts';
import { addressesOf } from './server-addresses.ts';
import { resultOf } from './session-outcome.ts';
import { SessionThreads } from './session-threads.ts';
import { ImapFailure, NoDraftsFolder } from './thread/refusals.ts';
import type { ImapSettings, SessionWork } from './thread/task.ts';

/** The connections at once to an account, few enough for any server. */
const CONNECTIONS = 4;

/** The account of an IMAP mailbox. */
export type ImapAccount = Account<ImapSettings>;

const threads = new SessionThreads();

/**
 * The provider of IMAP mailboxes (RFC 9051, RFC 3501). A draft is a message in the folder for drafts; it is found by its marker
 * there, in Sent and in Trash. Each session with a server has a thread, which ends when the signal aborts.
 */
export const imapProvider: MailProvider<ImapSettings> = {
  name: 'imap',
  createsOnce: false,
  attemptsAtOnce: CONNECTIONS,
  ...mailProviders.imap,

  signIn: async (account, signal) => {
    try {
      await session(account, { kind: 'sign_in' }, signal);
    } catch (error) {
      throw signInRefusal(error, account);
    }
  },

  findDraft: async (account, marker, signal) =>
    (await session(account, { kind: 'find_draft', marker }, signal)) ? draftOf(marker) : undefined,

  createDraft: async (account, { marker, ...draft }, signal) => {
    const message = await toRfc5322({ marker, ...draft });
    await session(account, { kind: 'create_draft', message, date: draft.date }, signal);
    return draftOf(marker);
  },

  keepOne: async (account, created, marker, signal) =>
    (await imapProvider.findDraft(account, marker, signal)) ?? created,
};

/** Does the work of a session in a thread; returns whether it found a draft. */
async function session(account: ImapAccount, work: SessionWork, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const { workspaceId, email, settings, secret = '' } = account;
  const addresses = await addressesOf(account, signal);
  const mailbox = { email, settings, secret, addresses };
  return resultOf(await threads.serve(workspaceId, { mailbox, work }, signal));
}

/** The UID of a message changes when a person moves it, so the id follows from the marker. */
function draftOf(marker: string): Draft {
  return { draftId: `${idPrefixes.draft}_${marker}` };
}

/** The reason why a mailbox cannot be connected, in one line. A person connects it, who gets the reason of a failed connection too. */
function signInRefusal(thrown: unknown, { settings, destination }: ImapAccount): unknown {
  const error = thrown instanceof MailUnavailable ? (thrown.cause ?? thrown) : thrown;
  const { host, port, drafts_folder } = settings;
  if (error instanceof NoDraftsFolder) {
    return new SignInRefused(`${host} marks no folder with \\Drafts: name the folder of drafts.`);
  }
  if (!(error instanceof ImapFailure)) return error;
  if (drafts_folder !== undefined && ['NONEXISTENT', 'TRYCREATE', 'NOPERM'].includes(error.code)) {
    return new SignInRefused(`The account has no access to the folder ${drafts_folder} (${error.code}).`);
  }
  if (destination !== undefined) return new SignInRefused(NO_MAIL_SERVER);
  return new SignInRefused(`${host}:${port} cannot be signed in to (${error.code}).`);
}
