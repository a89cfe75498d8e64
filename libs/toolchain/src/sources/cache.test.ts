import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { addToCache, cacheDir, cachedProgram } from './cache.mjs';

const program = '#!/bin/sh\necho ours\n';
const entry = { folder: 'tool-1', program: 'tool' };
const userCache = process.env.XDG_CACHE_HOME;
let cache: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'toolchain-'));
  process.env.XDG_CACHE_HOME = cache;
});

afterEach(() => {
  if (userCache === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = userCache;
  rmSync(cache, { recursive: true });
});

const fetchTool = () =>
  addToCache(entry, async (workDir) => {
    writeFileSync(join(workDir, 'archive'), 'not needed');
    writeFileSync(join(workDir, 'fetched'), program, { mode: 0o755 });
    return join(workDir, 'fetched');
  });

test('a fetched program is cached under its name, without the rest of the download', async () => {
  const path = await fetchTool();
  expect(await cachedProgram(entry)).toBe(path);
  expect(readFileSync(path, 'utf8')).toBe(program);
  expect(readdirSync(cacheDir(), { recursive: true }).toSorted()).toEqual(['tool-1', 'tool-1/tool']);
});

test('two fetches at the same time leave one program', async () => {
  expect(await Promise.all([fetchTool(), fetchTool()])).toEqual(
    Array(2).fill(join(cacheDir(), 'tool-1', 'tool')),
  );
  expect(readdirSync(join(cacheDir(), 'tool-1'))).toEqual(['tool']);
});

test('a failed fetch leaves nothing', async () => {
  await expect(addToCache(entry, () => Promise.reject(new Error('wrong hash')))).rejects.toThrow(
    'wrong hash',
  );
  expect(readdirSync(cacheDir())).toEqual([]);
  expect(await cachedProgram(entry)).toBeUndefined();
});

test('the next fetch removes the work folder of one that was killed long ago', async () => {
  for (const name of ['fetching-old', 'fetching-new']) mkdirSync(join(cacheDir(), name), { recursive: true });
  const longAgo = new Date(Date.now() - 7_200_000);
  utimesSync(join(cacheDir(), 'fetching-old'), longAgo, longAgo);
  await fetchTool();
  expect(readdirSync(cacheDir()).toSorted()).toEqual(['fetching-new', 'tool-1']);
});
