import { DraftRefused, MailUnavailable, SignInRefused } from '../../provider.ts';
import { draftFolders } from './folders.ts';
import { draftRefusal, ImapFailure, NoDraftsFolder } from './refusals.ts';
import { holdsDraft } from './search.ts';
import { type ImapSession, inSession } from './session.ts';
import type { ImapSettings, SessionOutcome, SessionTask, SessionWork } from './task.ts';

/** Serves a session, and returns its outcome, whatever that is. @param begin see `inSession` */
export async function serveSession(
  { mailbox, work }: SessionTask,
  begin: () => boolean,
): Promise<SessionOutcome> {
  try {
    const isFound = await inSession(mailbox, begin, (session) => workIn(session, mailbox.settings, work));
    return { kind: 'done', isFound };
  } catch (error) {
    return failure(error);
  }
}

/** Does the work of a session; only a search finds a draft. */
async function workIn(session: ImapSession, settings: ImapSettings, work: SessionWork): Promise<boolean> {
  switch (work.kind) {
    case 'sign_in':
      await requireDrafts(session, settings);
      return false;
    case 'find_draft':
      return await holdsDraft(session, await draftFolders(session.client, settings), work.marker);
    case 'create_draft':
      await create(session, settings, work);
      return false;
  }
}

/** @throws SignInRefused when no draft can be kept. */
async function requireDrafts({ client }: ImapSession, settings: ImapSettings): Promise<void> {
  if (!client.capabilities.has('UIDPLUS')) {
    throw new SignInRefused(`${settings.host} has no UIDPLUS (RFC 4315), which drafts need.`);
  }
  const { drafts } = await draftFolders(client, settings);
  const { readOnly } = await client.mailboxOpen(drafts);
  if (readOnly) throw new SignInRefused('The account may not write to its folder of drafts.');
}

async function create(
  { client }: ImapSession,
  settings: ImapSettings,
  { message, date }: SessionWork & { kind: 'create_draft' },
): Promise<void> {
  try {
    const { drafts } = await draftFolders(client, settings);
    // A mail program opens it as a draft that is not new mail.
    const appended = await client.append(drafts, Buffer.from(message), ['\\Draft', '\\Seen'], date);
    if (!appended) throw new ImapFailure('APPEND not sent');
  } catch (error) {
    throw draftRefusal(error);
  }
}

function failure(error: unknown): SessionOutcome {
  if (error instanceof SignInRefused) return { kind: 'sign_in_refused', message: error.message };
  if (error instanceof MailUnavailable) {
    if (error.cause instanceof ImapFailure) return { kind: 'unreachable', code: error.cause.code };
    return { kind: 'mail_unavailable', retryAfterSeconds: error.retryAfterSeconds };
  }
  if (error instanceof NoDraftsFolder) return { kind: 'no_drafts_folder' };
  if (error instanceof DraftRefused) return { kind: 'draft_refused' };
  return { kind: 'failed', code: error instanceof ImapFailure ? error.code : 'no code' };
}
