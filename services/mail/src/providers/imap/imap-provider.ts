import { idPrefixes, mailProviders } from '@action-platform/contracts';
import { toRfc5322 } from '../../messages/rfc5322.ts';
import { type Draft, type MailProvider, NO_MAIL_SERVER, SignInRefused } from '../provider.ts';
import { draftFolders } from './folders.ts';
import { draftRefusal, ImapFailure, NoDraftsFolder } from './refusals.ts';
import { holdsDraft } from './search.ts';
import { type ImapAccount, type ImapSettings, inSession } from './session.ts';

/** The connections at once to an account, few enough for any server. */
const CONNECTIONS = 4;

/**
 * The provider of IMAP mailboxes (RFC 9051, RFC 3501). A draft is a message in the folder for drafts; it is found by its marker
 * there, in Sent and in Trash.
 */
export const imapProvider: MailProvider<ImapSettings> = {
  name: 'imap',
  createsOnce: false,
  attemptsAtOnce: CONNECTIONS,
  ...mailProviders.imap,

  signIn: async (account, signal) => {
    try {
      await inSession(account, signal, async ({ client }) => {
        if (!client.capabilities.has('UIDPLUS')) {
          throw new SignInRefused(`${account.settings.host} has no UIDPLUS (RFC 4315), which drafts need.`);
        }
        const { drafts } = await draftFolders(client, account.settings);
        const { readOnly } = await client.mailboxOpen(drafts);
        if (readOnly) throw new SignInRefused(`The account may not write to the folder ${drafts}.`);
      });
    } catch (error) {
      throw signInRefusal(error, account);
    }
  },

  findDraft: async (account, marker, signal) => {
    const isThere = await inSession(account, signal, async (session) =>
      holdsDraft(session, await draftFolders(session.client, account.settings), marker),
    );
    return isThere ? draftOf(marker) : undefined;
  },

  createDraft: async (account, message, signal) => {
    const bytes = await toRfc5322(message);
    await inSession(account, signal, async ({ client }) => {
      try {
        const { drafts } = await draftFolders(client, account.settings);
        // A mail program opens it as a draft that is not new mail.
        const appended = await client.append(drafts, bytes, ['\\Draft', '\\Seen'], message.date);
        if (!appended) throw new ImapFailure('APPEND not sent');
      } catch (error) {
        throw draftRefusal(error);
      }
    });
    return draftOf(message.marker);
  },

  keepOne: async (account, created, marker, signal) =>
    (await imapProvider.findDraft(account, marker, signal)) ?? created,
};

/** The UID of a message changes when a person moves it, so the id follows from the marker. */
function draftOf(marker: string): Draft {
  return { draftId: `${idPrefixes.draft}_${marker}` };
}

/** The reason why a mailbox cannot be connected, in one line. */
function signInRefusal(error: unknown, { settings, destination }: ImapAccount): unknown {
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
