import { hash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { mailProviders } from '@action-platform/contracts/calls';
import { idPrefixes } from '@action-platform/contracts/ids';
import { toRfc5322 } from '../../messages/rfc5322.ts';
import { type Account, type Draft, DraftRefused, type MailProvider } from '../provider.ts';
import { removeLeftovers, writeOnce } from './write-once.ts';

/** The name of this provider for operators. */
const LOCAL_PROVIDER = 'local';

/** Errors by which a file system refuses a file; other errors leave the outcome unknown. */
const REFUSALS = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG']);

/** Names that every file system keeps, whether or not it distinguishes upper and lower case. */
const PLAIN_NAME = /^[a-z0-9_@+-][a-z0-9_.@+-]{0,99}$/;
/** Names that Windows takes for a device, whatever follows the first dot. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;

/**
 * The provider that needs no mail server: a draft is a file
 * `<folder>/<Workspace>/<address of the mailbox>/drafts/<marker>.eml`, which any mail program opens for editing. Replicas
 * share the folder, whose file system must have hard links.
 *
 * @param options.draftUrlBase the URL under which the folder is served to callers; without it drafts have no URL.
 */
export async function openLocalProvider(
  folder: string,
  { draftUrlBase }: { draftUrlBase?: string | undefined } = {},
): Promise<MailProvider> {
  const root = resolve(folder);
  const temporaryFolder = join(root, '.tmp');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await removeLeftovers(temporaryFolder);

  const draftAt = (names: readonly string[], marker: string): Draft => ({
    draftId: `${idPrefixes.draft}_${marker}`,
    ...(draftUrlBase === undefined ? {} : { draftUrl: urlBelow(draftUrlBase, names) }),
  });

  return {
    name: LOCAL_PROVIDER,
    createsOnce: true,
    ...mailProviders.local,

    // The folder is that of the service: there is nothing to sign in to.
    signIn: async () => {},

    findDraft: async (account, marker) => {
      const names = namesOf(account, marker);
      return (await exists(join(root, ...names))) ? draftAt(names, marker) : undefined;
    },

    createDraft: async (account, message, signal) => {
      const names = namesOf(account, message.marker);
      const content = await toRfc5322(message);
      try {
        await writeOnce({ path: join(root, ...names), content, temporaryFolder, signal });
      } catch (error) {
        if (isRefusal(error as NodeJS.ErrnoException)) throw new DraftRefused({ cause: error });
        throw error;
      }
      return draftAt(names, message.marker);
    },
  };
}

/**
 * A name of a file or folder that every file system accepts and that leads to no other folder. Different texts get different
 * names: a text that is not a plain name gets its hash, with a first character that no plain name has.
 */
export function fileName(text: string): string {
  const isPlain = PLAIN_NAME.test(text) && !text.endsWith('.') && !DEVICE_NAME.test(text);
  return isPlain ? text : `~${hash('sha256', text, 'hex')}`;
}

/** The names of the folders down to a draft, and its own. */
function namesOf({ workspaceId, email }: Pick<Account, 'workspaceId' | 'email'>, marker: string): string[] {
  return [fileName(workspaceId), fileName(email.toLowerCase()), 'drafts', `${marker}.eml`];
}

/** The URL of a file below another URL, its names percent-encoded (RFC 3986, section 3.3). */
function urlBelow(base: string, names: readonly string[]): string {
  return [base.replace(/\/+$/, ''), ...names.map(encodeURIComponent)].join('/');
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

/** Whether the file was definitely not written. A file that could not be synced may exist. */
function isRefusal({ code, syscall }: NodeJS.ErrnoException): boolean {
  return code !== undefined && REFUSALS.has(code) && syscall !== 'fsync';
}
