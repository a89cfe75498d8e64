import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openLocalProvider } from '../providers/local/local-provider.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';

/** The local provider, whose folder of drafts is served to callers. */
export function localFixture(): MailSystemFixture {
  let root = '';
  return {
    start: async () => {},
    stop: async () => {},
    open: async (folder) => {
      root = folder;
      return await openLocalProvider(folder, { draftUrlBase: 'https://drafts.example.com' });
    },
    mailbox: () => ({ provider: 'local', settings: {} }),
    drafts: async (workspaceId) => {
      const folder = join(root, workspaceId);
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = entries.filter((entry) => entry.isFile());
      return await Promise.all(
        files.map(async ({ parentPath, name }) => ({
          id: `drf_${basename(name, '.eml')}`,
          message: await readFile(join(parentPath, name)),
        })),
      );
    },
    createsOnce: true,
    draftUrl: /^https:\/\/drafts\.example\.com\/.*\.eml$/,
  };
}
