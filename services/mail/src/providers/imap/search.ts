import type { ImapFlow } from 'imapflow';
import { MARKER_FIELD } from '../../messages/rfc5322.ts';
import type { DraftFolders } from './folders.ts';
import { ImapFailure } from './refusals.ts';

/**
 * Whether a message with the marker is in one of the folders. They are searched in the order in which people move drafts, so that a
 * draft that moves meanwhile is found. Of equal drafts one stays.
 */
export async function holdsDraft(
  client: ImapFlow,
  { drafts, others }: DraftFolders,
  marker: string,
): Promise<boolean> {
  const found = await uidsWith(client, drafts, marker);
  if (found.length > 1) await removeTwins(client, found);
  if (found.length > 0) return true;
  for (const folder of others) {
    if ((await uidsWith(client, folder, marker)).length > 0) return true;
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
async function removeTwins(client: ImapFlow, uids: readonly number[]): Promise<void> {
  const messages = await client.fetchAll(uids.join(','), { source: true }, { uid: true });
  // A message that another session has removed meanwhile has no text: the server answers NIL (RFC 9051, section 7.5.2).
  const readable = messages.flatMap(({ uid, source }) => (Buffer.isBuffer(source) ? [{ uid, source }] : []));
  const sorted = readable.sort((one, other) => one.uid - other.uid);
  const isTwin = ({ source }: { source: Buffer }, index: number) =>
    sorted.slice(0, index).some((earlier) => earlier.source.equals(source));
  const twins = sorted.filter(isTwin).map(({ uid }) => uid);
  if (twins.length === 0) return;
  // UID EXPUNGE (RFC 4315) removes no other message that a person has marked as deleted.
  if (!(await client.messageDelete(twins.join(','), { uid: true }))) throw new ImapFailure('EXPUNGE refused');
}
