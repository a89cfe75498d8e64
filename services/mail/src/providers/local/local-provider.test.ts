import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DraftMessage, toRfc5322 } from '../../messages/rfc5322.ts';
import { DraftRefused, type MailProvider } from '../provider.ts';
import { openLocalProvider } from './local-provider.ts';

const message: DraftMessage = {
  marker: 'ab12',
  from: { name: 'Ada', address: 'ada@example.com' },
  to: ['bob@example.com'],
  cc: [],
  subject: 'Hello',
  body: 'Text',
  date: new Date(0),
};
const never = new AbortController().signal;

let folder: string;
let provider: MailProvider;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'action-platform-local-mail-'));
  provider = await openLocalProvider(folder, { draftUrlBase: pathToFileURL(folder).href });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const mailboxOf = (workspaceId: string) => ({
  accountId: 'mac_1',
  workspaceId,
  email: 'Ada@Example.com',
  settings: {},
  secret: undefined,
});

describe('a local draft', () => {
  test('is an .eml file of the mailbox that only its owner can read', async () => {
    const draft = await provider.createDraft(mailboxOf('ws_file'), message, never);
    const path = fileURLToPath(draft.draftUrl!);
    expect(path).toBe(join(folder, 'ws_file', 'ada@example.com', 'drafts', 'ab12.eml'));
    expect(await readFile(path)).toEqual(await toRfc5322(message));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'ws_file'))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, '.tmp'))).toEqual([]);
  });

  test.each([
    ['https://drafts.example.com/mail', 'https://drafts.example.com/mail'],
    ['https://drafts.example.com/', 'https://drafts.example.com'],
    [undefined, undefined],
  ])('has a URL below %s where the folder is served, and else none', async (draftUrlBase, base) => {
    const served = await openLocalProvider(folder, { draftUrlBase });
    const draft = await served.createDraft(mailboxOf('ws_served'), message, never);
    const draftUrl = base && `${base}/ws_served/ada%40example.com/drafts/ab12.eml`;
    expect(draft).toEqual({ draftId: 'drf_ab12', ...(draftUrl && { draftUrl }) });
    expect(await served.findDraft(mailboxOf('ws_served'), message.marker, never)).toEqual(draft);
  });

  test('is found by its marker, in its own mailbox only', async () => {
    const created = await provider.createDraft(mailboxOf('ws_find'), message, never);
    expect(await provider.findDraft(mailboxOf('ws_find'), message.marker, never)).toEqual(created);
    expect(await provider.findDraft(mailboxOf('ws_find'), 'cd34', never)).toBeUndefined();
    expect(await provider.findDraft(mailboxOf('ws_other'), message.marker, never)).toBeUndefined();
    const other = { ...mailboxOf('ws_find'), email: 'team@example.com' };
    expect(await provider.findDraft(other, message.marker, never)).toBeUndefined();
  });

  test('is made once by concurrent writers, and each of them gets it; the first content stays', async () => {
    const replica = await openLocalProvider(folder, { draftUrlBase: pathToFileURL(folder).href });
    const drafts = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? provider : replica).createDraft(
          mailboxOf('ws_race'),
          { ...message, subject: `${i}` },
          never,
        ),
      ),
    );
    expect(new Set(drafts.map(({ draftId }) => draftId)).size).toBe(1);
    const drafted = join(folder, 'ws_race', 'ada@example.com', 'drafts');
    expect(await readdir(drafted)).toEqual(['ab12.eml']);
    const before = await readFile(join(drafted, 'ab12.eml'));
    await provider.createDraft(mailboxOf('ws_race'), { ...message, subject: 'late' }, never);
    expect(await readFile(join(drafted, 'ab12.eml'))).toEqual(before);
  });

  test('is not made after the caller has given up', async () => {
    const mailbox = mailboxOf('ws_late');
    await expect(provider.createDraft(mailbox, message, AbortSignal.abort())).rejects.toThrow(/abort/);
    expect(await provider.findDraft(mailbox, message.marker, never)).toBeUndefined();
  });

  test('stays within the folder, whatever the id of the Workspace', async () => {
    const { draftUrl } = await provider.createDraft(mailboxOf('../../escaped'), message, never);
    expect(fileURLToPath(draftUrl!).startsWith(`${folder}/~`)).toBe(true);
  });

  test('is refused when the file system refuses it', async () => {
    // A name that is too long for any file system.
    const tooLong = { ...message, marker: 'a'.repeat(300) };
    await expect(provider.createDraft(mailboxOf('ws_long'), tooLong, never)).rejects.toThrow(DraftRefused);
  });

  test('is unknown after any other error', async () => {
    await writeFile(join(folder, 'ws_broken'), 'a file where a folder should be');
    const creating = provider.createDraft(mailboxOf('ws_broken'), message, never);
    await expect(creating).rejects.not.toThrow(DraftRefused);
  });
});

test('old temporary files of dead processes are removed', async () => {
  const root = join(folder, 'leftovers');
  await mkdir(join(root, '.tmp'), { recursive: true });
  for (const name of ['old', 'new']) await writeFile(join(root, '.tmp', name), '');
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(root, '.tmp', 'old'), twoDaysAgo, twoDaysAgo);
  await openLocalProvider(root);
  expect(await readdir(join(root, '.tmp'))).toEqual(['new']);
});

test('an unusable folder is an error at the start', async () => {
  await writeFile(join(folder, 'not-a-folder'), '');
  await expect(openLocalProvider(join(folder, 'not-a-folder'))).rejects.toThrow();
});
