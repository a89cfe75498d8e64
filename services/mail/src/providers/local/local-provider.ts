import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { toRfc5322 } from '../../messages/rfc5322.ts';
import { type Draft, DraftRefused, type Mailbox, type MailProvider } from '../provider.ts';
import { fileName } from './file-name.ts';
import { removeLeftovers } from './leftovers.ts';
import { writeOnce } from './write-once.ts';

/** What operators call this provider. */
export const LOCAL_PROVIDER = 'local';

/** What a file system says when it will not take a file, rather than that something is broken. */
const REFUSALS = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/**
 * The provider that needs no mail server: a draft is a file
 * `<folder>/<Workspace>/<address of the mailbox>/drafts/<marker>.eml`, which any mail program opens for editing. Replicas
 * share the folder, whose file system must have hard links.
 */
export async function openLocalProvider(folder: string): Promise<MailProvider> {
  const root = resolve(folder);
  const temporaryFolder = join(root, '.tmp');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await removeLeftovers(temporaryFolder);

  const pathOf = (mailbox: Mailbox, marker: string) =>
    join(
      root,
      fileName(mailbox.workspaceId),
      fileName(mailbox.email.toLowerCase()),
      'drafts',
      `${marker}.eml`,
    );
  const draftAt = (path: string, marker: string): Draft => ({
    draftId: `drf_${marker}`,
    draftUrl: pathToFileURL(path).href,
  });

  return {
    name: LOCAL_PROVIDER,
    createsOnce: true,

    findDraft: async (mailbox, marker) => {
      const path = pathOf(mailbox, marker);
      return (await exists(path)) ? draftAt(path, marker) : undefined;
    },

    createDraft: async (mailbox, message, signal) => {
      const path = pathOf(mailbox, message.marker);
      try {
        await writeOnce({ path, content: toRfc5322(message), temporaryFolder, signal });
      } catch (error) {
        if (isRefusal(error as NodeJS.ErrnoException)) throw new DraftRefused({ cause: error });
        throw error;
      }
      return draftAt(path, message.marker);
    },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether a file was definitely not written. One that could not be synced may be there all the same. */
function isRefusal({ code, syscall }: NodeJS.ErrnoException): boolean {
  return code !== undefined && REFUSALS.has(code) && syscall !== 'fsync';
}
