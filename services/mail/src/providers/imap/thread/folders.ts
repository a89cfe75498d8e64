import type { ImapFlow } from 'imapflow';
import { NoDraftsFolder } from './refusals.ts';
import type { ImapSettings } from './task.ts';

/** The folders in which a draft can be. */
export interface DraftFolders {
  readonly drafts: string;
  /** Where a person's mail program moves a draft: Sent and Trash, as far as the server has them. */
  readonly others: readonly string[];
}

/**
 * The folders of drafts by their special use (RFC 6154). The folder for drafts must be marked by the server or named by the operator,
 * because a draft in a folder that only has such a name might not be seen; other folders may be guessed from their names.
 *
 * @throws NoDraftsFolder
 */
export async function draftFolders(client: ImapFlow, settings: ImapSettings): Promise<DraftFolders> {
  // A folder that cannot be selected holds no message. Servers differ in the case of the flag, which the client adds to \NonExistent.
  const folders = (await client.list()).filter(
    ({ flags }) => ![...flags].some((flag) => flag.toLowerCase() === '\\noselect'),
  );
  const marked = folders.find(
    ({ specialUse, specialUseSource }) => specialUse === '\\Drafts' && specialUseSource === 'extension',
  );
  const drafts = settings.drafts_folder ?? marked?.path;
  if (drafts === undefined) throw new NoDraftsFolder('The server marks no folder with \\Drafts');
  const others = ['\\Sent', '\\Trash'].flatMap((use) =>
    folders.filter(({ specialUse }) => specialUse === use).map(({ path }) => path),
  );
  return { drafts, others: others.filter((path) => path !== drafts) };
}
