import { type Database, openIndexed } from '@action-platform/mongo';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Files } from '../files/files.ts';
import { type StoredFile, storedFiles } from '../files/stored-file.ts';
import { type FileSource, SourceUnlisted } from './file-source.ts';
import { passOver } from './pass.ts';

let database: Database;
let files: Files;
beforeAll(async () => {
  database = await openTestDatabase('knowledge');
  files = new Files(await openIndexed(database.db, storedFiles));
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.collection('files').deleteMany({});
  await pass(['a/company/1', 'a/company/2', 'b/company/1', 'c/company/1']);
});

/** A pass over a source that lists these keys at first, and others at its further listings. An error ends a listing. */
function pass(...listings: readonly (string | Error)[][]) {
  let count = 0;
  return passOf({
    stat: async () => undefined,
    async *keys() {
      for (const key of listings[Math.min(count++, listings.length - 1)]!) {
        if (key instanceof Error) throw key;
        yield key;
      }
    },
  });
}

function passOf(source: Pick<FileSource, 'keys' | 'stat'>) {
  const { signal } = new AbortController();
  return passOver(source, files, { kind: 'directory', isSuspect: false, confirm, signal });
}
let confirm = async () => {};

async function listed(): Promise<string[]> {
  const found = await database.db
    .collection<StoredFile>('files')
    .find()
    .sort({ workspace_id: 1, path: 1 })
    .toArray();
  return found.map(({ workspace_id, path }) => `${workspace_id}/${path}`);
}

test('a source that is emptied just before its listing loses nothing', async () => {
  const outcome = await pass(['a/company/1'], []);
  expect(outcome.isEmptied).toBe(true);
  expect(await listed()).toEqual(['a/1', 'a/2', 'b/1', 'c/1']);
});

test('a source that holds a listed file is listed once', async () => {
  const stated: string[] = [];
  let listings = 0;
  await passOf({
    async stat(key) {
      stated.push(key);
      return { bytes: 1, version: '1' };
    },
    async *keys() {
      listings++;
      yield* ['b/company/2', 'c/company/1'];
    },
  });
  expect([stated, listings]).toEqual([['a/company/1'], 1]);
  expect(await listed()).toEqual(['b/2', 'c/1']);
});

test('a listing that fails in a group removes nothing of it, nor of later ones', async () => {
  const failing = pass(['a/company/1', 'b/company/0', 'c/company/0', new SourceUnlisted('EIO')]);
  await expect(failing).rejects.toMatchObject({ code: 'EIO' });
  expect(await listed()).toEqual(['a/1', 'b/0', 'b/1', 'c/1']);
});

test('a repeated key and one without a name change nothing, and the latter counts', async () => {
  const outcome = await pass([
    '',
    'a/company/1',
    'a/company/1',
    '',
    'a/company/2',
    'b/company/1',
    'c/company/1',
  ]);
  expect(outcome).toEqual({ isEmptied: false, leftOut: 2, isComplete: true, failed: [] });
  expect(await listed()).toEqual(['a/1', 'a/2', 'b/1', 'c/1']);
});

test('a replica that lost its lease changes nothing', async () => {
  confirm = async () => {
    throw new Error('lost');
  };
  await expect(pass(['a/company/1', 'a/company/3'])).rejects.toThrow('lost');
  confirm = async () => {};
  expect(await listed()).toEqual(['a/1', 'a/2', 'b/1', 'c/1']);
});

test('a group whose listing the database does not change delays no other', async () => {
  const refuse = (validator: object) => database.db.command({ collMod: 'files', validator });
  await refuse({ workspace_id: { $ne: 'b' } });
  const keys = ['a/company/3', 'b/company/0', 'b/company/2', 'c/company/1', 'c/company/2'];
  const { failed, isComplete } = await pass(keys);
  expect(failed.map(({ group }) => group.workspaceId)).toEqual(['b']);
  expect(isComplete).toBe(true);
  expect(await listed()).toEqual(['a/3', 'b/1', 'c/1', 'c/2']);
  await refuse({});
  expect(await pass(keys)).toMatchObject({ failed: [] });
  expect(await listed()).toEqual(['a/3', 'b/0', 'b/2', 'c/1', 'c/2']);
});
