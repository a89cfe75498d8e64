import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../test-support/until.ts';
import { FolderWatches } from './folder-watches.ts';

let directory: string;
let told: string[];
let failures: unknown[];
let watches: FolderWatches;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'action-platform-watches-'));
  told = [];
  failures = [];
  watches = new FolderWatches(directory, {
    changed: (path) => told.push(path),
    failed: (error) => failures.push(error),
  });
});
afterEach(async () => {
  watches.end();
  await rm(directory, { recursive: true });
});

const write = (path: string) => writeFile(join(directory, path), 'text');
const folder = (path: string) => mkdir(join(directory, path), { recursive: true });
const toldOf = (path: string) =>
  until(
    async () => told,
    (paths) => paths.includes(path),
  );

describe('watches', () => {
  test('report added and removed entries, and no writes to existing files', async () => {
    await folder('a');
    await write('a/old');
    watches.watch('');
    watches.watch('a');
    await write('a/old');
    await write('new');
    await rm(join(directory, 'a/old'));
    await toldOf('a/old');
    expect(told.sort()).toEqual(['a/old', 'new']);
  });

  test('follow the new folder at a path', async () => {
    await folder('a');
    watches.watch('a');
    await rename(join(directory, 'a'), join(directory, 'moved'));
    await folder('a');
    watches.watch('a');
    told.length = 0;
    await write('moved/x');
    await write('a/y');
    await toldOf('a/y');
    expect(told).toEqual(['a/y']);
  });

  test('end at and below a path when they are older than the given time; others continue', async () => {
    for (const path of ['a/b', 'ab']) await folder(path);
    for (const path of ['a', 'a/b', 'ab']) watches.watch(path);
    const time = watches.now();
    watches.watch('a');
    watches.endOlder('a', time);
    watches.endOlder('never-watched', watches.now());
    for (const path of ['a/b/1', 'a/1', 'ab/1']) await write(path);
    await toldOf('ab/1');
    expect(told.sort()).toEqual(['a/1', 'ab/1']);
  });

  test('report a folder that cannot be watched, but not a missing or unreadable one', () => {
    watches.watch('missing');
    watches.watch('x'.repeat(300));
    expect(failures).toEqual([]);
    watches.watch('no\0path');
    expect(failures).toHaveLength(1);
  });
});
