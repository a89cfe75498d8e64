import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SourceUnavailable } from '../errors.mjs';
import { firstOf } from '../programs.mjs';
import { addToCache, cachedProgram } from './cache.mjs';

const program = '#!/bin/sh\necho ours\n';
/** Of the same length, as one who plants it would see to. */
const planted = program.replace('ours', 'evil');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const firstTrusted = { folder: 'tool-1', program: 'tool' };
const pinned = { ...firstTrusted, sha256: sha256(program) };
const userCache = process.env.XDG_CACHE_HOME;
let cache: string;
let path: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'toolchain-'));
  process.env.XDG_CACHE_HOME = cache;
  path = join(cache, 'action-platform', 'tool-1', 'tool');
});

afterEach(() => {
  if (userCache === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = userCache;
  rmSync(cache, { recursive: true });
});

/** Puts a program into the cache as a fetch does. */
const fetchTool = (entry: typeof firstTrusted) =>
  addToCache(entry, async (workDir) => {
    writeFileSync(join(workDir, 'tool'), program, { mode: 0o755 });
    return join(workDir, 'tool');
  });

/** Writes over the program and puts its times back. */
function plant(): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, planted);
  utimesSync(path, atime, mtime);
}

const refusal = (expected: string) =>
  new SourceUnavailable(
    `${path} is not the program that belongs there: expected sha256 ${expected}, found ${sha256(planted)}`,
  );

describe.each([
  ['whose hash is pinned', pinned],
  ['that was trusted when it was fetched', firstTrusted],
])('a program %s', (_which, entry) => {
  test('is found as long as it is the same', async () => {
    await fetchTool(entry);
    expect(await cachedProgram(entry)).toBe(path);
    expect(await cachedProgram(entry)).toBe(path);
  });

  test('is refused, each time, when another was planted in its place', async () => {
    await fetchTool(entry);
    plant();
    await expect(cachedProgram(entry)).rejects.toThrow(refusal(sha256(program)));
    await expect(cachedProgram(entry)).rejects.toThrow(refusal(sha256(program)));
  });

  test('is found when it was moved or restored, as its bytes are what counts', async () => {
    await fetchTool(entry);
    copyFileSync(path, `${path}.copy`);
    rmSync(path);
    copyFileSync(`${path}.copy`, path);
    expect(await cachedProgram(entry)).toBe(path);
  });

  test('is fetched again when another was planted', async () => {
    await fetchTool(entry);
    plant();
    const sources = [() => cachedProgram(entry), () => fetchTool(entry)];
    expect(await firstOf('tool', 'Install it.', sources)).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe(program);
    expect(await cachedProgram(entry)).toBe(path);
  });
});

describe('a program that needs what is beside it', () => {
  const entry = { ...firstTrusted, withAll: true };
  const fetchAll = () =>
    addToCache(entry, async (workDir) => {
      mkdirSync(join(workDir, 'all', 'lib'), { recursive: true });
      writeFileSync(join(workDir, 'all', 'tool'), program, { mode: 0o755 });
      writeFileSync(join(workDir, 'all', 'lib', 'one.so.1'), 'ours');
      symlinkSync('one.so.1', join(workDir, 'all', 'lib', 'one.so'));
      writeFileSync(join(workDir, 'archive'), 'not needed');
      return join(workDir, 'all', 'tool');
    });
  const kept = () => readdirSync(dirname(dirname(path)), { recursive: true }).toSorted();

  test('is found with it, and fetched by two at the same time is there once', async () => {
    expect(await Promise.all([fetchAll(), fetchAll()])).toEqual([path, path]);
    expect(await cachedProgram(entry)).toBe(path);
    const files = ['lib', 'lib/one.so', 'lib/one.so.1', 'tool', 'tool.checked.json'];
    expect(kept()).toEqual(['tool-1', ...files.map((file) => `tool-1/${file}`)]);
  });

  test('stays as it is when it is fetched again', async () => {
    await fetchAll();
    const { ino } = statSync(path);
    await fetchAll();
    expect(statSync(path).ino).toBe(ino);
  });

  test.each([
    ['was changed', () => writeFileSync(join(dirname(path), 'lib', 'one.so.1'), 'evil')],
    [
      'leads elsewhere',
      () => renameSync(join(dirname(path), 'lib', 'one.so.1'), join(dirname(path), 'lib', 'one.so')),
    ],
    ['is new', () => writeFileSync(join(dirname(path), 'lib', 'two.so'), 'evil')],
  ])('is refused when something of it %s, and fetched again', async (_what, change) => {
    await fetchAll();
    change();
    await expect(cachedProgram(entry)).rejects.toThrow('is not the program that belongs there');
    await fetchAll();
    expect(await cachedProgram(entry)).toBe(path);
    expect(readFileSync(join(dirname(path), 'lib', 'one.so'), 'utf8')).toBe('ours');
  });
});

describe('a program that was there before anybody hashed it', () => {
  beforeEach(() => void mkdirSync(dirname(path), { recursive: true }));

  test('is found when its hash is pinned', async () => {
    writeFileSync(path, program, { mode: 0o755 });
    expect(await cachedProgram(pinned)).toBe(path);
  });

  test('is refused when it has another hash than the pinned one', async () => {
    writeFileSync(path, planted, { mode: 0o755 });
    await expect(cachedProgram(pinned)).rejects.toThrow(refusal(sha256(program)));
  });

  test('does not count when nobody knows its hash', async () => {
    writeFileSync(path, planted, { mode: 0o755 });
    expect(await cachedProgram(firstTrusted)).toBeUndefined();
  });

  test('is not believed because of what lies beside it', async () => {
    writeFileSync(path, planted, { mode: 0o755 });
    writeFileSync(`${path}.checked.json`, JSON.stringify({ sha256: sha256(planted), file: '' }));
    await expect(cachedProgram(pinned)).rejects.toThrow(refusal(sha256(program)));
    writeFileSync(`${path}.checked.json`, 'no JSON');
    await expect(cachedProgram(pinned)).rejects.toThrow(refusal(sha256(program)));
  });
});
