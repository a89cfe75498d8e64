import { hash } from 'node:crypto';
import type { ImapFlow } from 'imapflow';
import { MARKER_FIELD } from '../../../messages/marker-field.ts';
import type { DraftFolders } from './folders.ts';
import { ImapFailure, isClosedFolder } from './refusals.ts';
import { type ImapSession, LITERAL_BYTES } from './session.ts';

/** The most drafts of one submission that are compared at once. */
const COMPARED_MAX = 100;

/**
 * Whether a message with the marker is in one of the folders. `holdsDraft` searches them in the order in which people move drafts, so that
 * a draft that moves meanwhile is found. Of equal drafts one stays.
 */
export async function holdsDraft(
  session: ImapSession,
  { drafts, others }: DraftFolders,
  marker: string,
): Promise<boolean> {
  const { client } = session;
  const found = await uidsWith(client, drafts, marker);
  if (found.length > 1) await removeTwins(session, found);
  if (found.length > 0) return true;
  for (const folder of others) {
    const moved = await uidsWith(client, folder, marker).catch((error: unknown) => {
      if (isClosedFolder(error)) return [];
      throw error;
    });
    if (moved.length > 0) return true;
  }
  return false;
}

/** Selects a folder and returns the UIDs of its messages with the marker, ascending. */
async function uidsWith(client: ImapFlow, folder: string, marker: string): Promise<number[]> {
  await client.mailboxOpen(folder);
  const found = await client.search({ header: { [MARKER_FIELD]: marker } }, { uid: true });
  if (!Array.isArray(found)) throw new ImapFailure('SEARCH refused');
  return found.sort((one, other) => one - other);
}

/**
 * Removes messages of the selected folder that are equal to one with a lower UID. The messages of one submission are equal to
 * the byte, so a draft that a person has changed stays. Every attempt keeps the same one, whichever of them removes the others.
 */
async function removeTwins({ client, transport }: ImapSession, uids: readonly number[]): Promise<void> {
  const first = new Set<string>();
  const twins: number[] = [];
  for (const uid of uids.slice(0, COMPARED_MAX)) {
    transport.allow(LITERAL_BYTES);
    const source = { maxLength: LITERAL_BYTES };
    const message = await client.fetchOne(String(uid), { source }, { uid: true });
    // A message that another session has removed meanwhile has no text: the server answers NIL (RFC 9051, section 7.5.2).
    // No draft of this service is so long as to be cut.
    const text = message === false ? undefined : message.source;
    if (!Buffer.isBuffer(text) || text.length >= LITERAL_BYTES) continue;
    const digest = hash('sha256', text, 'hex');
    if (first.has(digest)) twins.push(uid);
    else first.add(digest);
  }
  if (twins.length === 0) return;
  // UID EXPUNGE (RFC 4315) removes no other message that a person has marked as deleted.
  if (!(await client.messageDelete(twins.join(','), { uid: true }))) throw new ImapFailure('EXPUNGE refused');
}
