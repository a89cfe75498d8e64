import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type GroupRoot, openGroupRoot } from './entry.ts';
import { walk } from './walk.ts';

let directory: string;
let root: GroupRoot;
const at = (path: string) => join(directory, path);

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'action-platform-walk-')));
  mkdirSync(at('company/docs/deep'), { recursive: true });
  mkdirSync(at('outside/deep'), { recursive: true });
  for (const path of ['company/docs/ours', 'company/docs/deep/ours']) writeFileSync(at(path), '');
  for (const path of ['outside/secret', 'outside/deep/secret']) writeFileSync(at(path), '');
  root = (await openGroupRoot(directory, 'company'))!;
});

afterEach(() => rmSync(directory, { recursive: true }));

async function walked(path = '', entering: (at: string) => void = () => {}): Promise<string[]> {
  return (await Array.fromAsync(walk(root, path, { entering, leftOut: () => {} }))).flat().sort();
}

/** Replaces a folder by a link out of the group, and keeps the folder beside it. */
function swap(folder: string, outside: string): void {
  renameSync(at(folder), at(`${folder.replaceAll('/', '-')}.kept`));
  symlinkSync(at(outside), at(folder));
}

function swapBack(folder: string): void {
  rmSync(at(folder));
  renameSync(at(`${folder.replaceAll('/', '-')}.kept`), at(folder));
}

describe('a folder that a link out of the group replaces during a walk shows nothing of its target', () => {
  test.each([
    ['company/docs', 'outside', 'docs', []],
    ['company/docs/deep', 'outside/deep', 'docs/deep', ['docs/ours']],
    // One in the path of the folder that is about to be read.
    ['company/docs', 'outside', 'docs/deep', ['docs/ours']],
    ['company', 'outside', '', []],
    ['company', 'outside', 'docs', []],
  ])('%s, just before %s is read in its place at %j', async (folder, outside, before, left) => {
    const found = await walked('', (entering) => {
      if (entering === before) swap(folder, outside);
    });
    // A found file may be unreadable by now; nothing else may be listed.
    expect(left).toEqual(expect.arrayContaining(found));
  });

  test('at any moment', async () => {
    expect(await walked()).toEqual(['docs/deep/ours', 'docs/ours']);
    let isOver = false;
    const swapping = (async () => {
      for (let turn = 0; !isOver; turn++) {
        if (turn % 2 === 0) swap('company/docs', 'outside');
        else swapBack('company/docs');
        await new Promise(setImmediate);
      }
    })();
    const found = new Set<string>();
    for (let round = 0; round < 300; round++) {
      for (const path of ['', 'docs/secret', 'docs/deep']) {
        for (const file of await walked(path)) found.add(file);
      }
    }
    isOver = true;
    await swapping;
    expect([...found].filter((path) => path.includes('secret'))).toEqual([]);
  });
});
