import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareByBytes } from '../files/byte-order.ts';
import { Folder } from './folder.ts';

const never = new AbortController().signal;
let directory: string;
const at = (path: string) => join(directory, path);
beforeEach(() => {
  directory = makeTestFolder();
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), '');
  }
}
const keysOf = (path: string) => Array.fromAsync(new Folder(at(path)).keys(never));

test('keys are in the order of bytes, whatever the names of folders and files', async () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', '!', '-', '0', '\uffff', '🦊'),
    minLength: 1,
    maxLength: 3,
  });
  const path = fc.array(name, { minLength: 1, maxLength: 3 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(path, { maxLength: 20 }), async (drawn) => {
      const root = `files-${count++}`;
      // Files have another end, so that none has the path of a folder.
      const keys = new Set(drawn.map((names) => `ws_1/company/${names.join('/')}.`));
      mkdirSync(at(root));
      write(...[...keys].map((key) => `${root}/${key}`));
      expect(await keysOf(root)).toEqual([...keys].sort(compareByBytes));
    }),
    { numRuns: 50 },
  );
});

describe('a folder that a link out of the group replaces during a listing shows nothing of its target', () => {
  test.each([
    ['ws_1/company/b', 'outside'],
    ['ws_1/company/b/deep', 'outside/deep'],
    ['ws_1/company', 'outside'],
    ['ws_1', 'outside'],
  ])('%s', async (folder, target) => {
    write('files/ws_1/company/a', 'files/ws_1/company/b/deep/ours', 'files/ws_1/company/b/ours');
    write('outside/secret', 'outside/deep/secret', 'outside/company/secret', 'outside/b/secret');
    const found: string[] = [];
    for await (const key of new Folder(at('files')).keys(never)) {
      if (found.push(key) > 1) continue;
      renameSync(at(`files/${folder}`), at('kept'));
      symlinkSync(at(target), at(`files/${folder}`));
    }
    expect(found[0]).toBe('ws_1/company/a');
    expect(found.filter((key) => key.includes('secret'))).toEqual([]);
  });
});

test('the listing fails, and does not end, when a volume is unmounted in the middle of it', async () => {
  write('files/ws_1/company/a', 'files/ws_2/company/b', 'files/ws_3/company/c');
  const found: string[] = [];
  const listing = async () => {
    for await (const key of new Folder(at('files')).keys(never)) {
      if (found.push(key) > 1) continue;
      renameSync(at('files'), at('volume'));
      // The mount point below has a folder of the same name.
      write('files/ws_2/company/other');
    }
  };
  await expect(listing()).rejects.toMatchObject({ code: 'FolderReplaced' });
  expect(found).toEqual(['ws_1/company/a']);
});

test.each([
  ['missing', 'ENOENT'],
  ['file', 'ENOTDIR'],
])('of a %s root the listing fails with %s', async (path, code) => {
  write('file');
  await expect(keysOf(path)).rejects.toMatchObject({ code });
});

test('an aborted listing ends', async () => {
  write('files/ws_1/company/a');
  const stopped = AbortSignal.abort(new Error('stopped'));
  await expect(Array.fromAsync(new Folder(at('files')).keys(stopped))).rejects.toThrow('stopped');
});
