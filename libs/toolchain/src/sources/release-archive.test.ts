import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { SourceUnavailable } from '../errors.mjs';
import { cachedProgram } from './cache.mjs';
import { fetchReleaseArchive, releaseEntry } from './release-archive.mjs';

const userCache = process.env.XDG_CACHE_HOME;
let folder: string;
let server: Server;
let archive: Buffer;
let pin: Parameters<typeof fetchReleaseArchive>[0];

/** A site that has one archive, with a program and something else in it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolchain-'));
  mkdirSync(join(folder, 'tool-v1.2.3-here'));
  const program = '#!/bin/sh\necho tool v1.2.3\n';
  writeFileSync(join(folder, 'tool-v1.2.3-here', 'tool'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'tool-v1.2.3-here', 'LICENSE'), 'Apache-2.0');
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'tool-v1.2.3-here'], { cwd: folder });
  archive = readFileSync(join(folder, 'archive.tar.gz'));
  server = createServer((request, response) => {
    response.statusCode = request.url === '/tool-v1.2.3-here.tar.gz' ? 200 : 404;
    response.end(archive);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  pin = {
    title: 'tool 1.2.3',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tool-v1.2.3-here.tar.gz`,
    sha256: createHash('sha256').update(archive).digest('hex'),
    file: 'tool-v1.2.3-here/tool',
  };
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

const kept = () => readdirSync(join(process.env.XDG_CACHE_HOME!, 'action-platform'), { recursive: true });

test('the cache gets the program of the published archive, and nothing else of it', async () => {
  const lines: string[] = [];
  const path = await fetchReleaseArchive(pin, { onProgress: (line) => lines.push(line) });
  expect(execFileSync(path, { encoding: 'utf8' })).toBe('tool v1.2.3\n');
  expect(kept().toSorted()).toEqual(['tool-v1.2.3-here', 'tool-v1.2.3-here/tool']);
  await expect(cachedProgram(releaseEntry(pin))).resolves.toBe(path);
  expect(lines).toEqual(['Downloading tool 1.2.3; it is kept for the next time.']);
});

test('the fetch refuses and removes another archive before it runs anything of it', async () => {
  const published = { ...pin, sha256: '0'.repeat(64) };
  await expect(fetchReleaseArchive(published)).rejects.toThrow(
    `is not the archive of tool 1.2.3 that was published, and was removed: expected sha256 ${published.sha256}, found ${pin.sha256}.`,
  );
  expect(kept()).toEqual([]);
});

test.each([
  ['that does not have it', (url: string) => `${url}.sig`, /status 404/],
  ['that nobody serves', (url: string) => url.replace(/:\d+/, ':1'), /not downloaded/],
])('a site %s is no source', async (_what, address, reason) => {
  const absent = fetchReleaseArchive({ ...pin, url: address(pin.url) });
  await expect(absent).rejects.toThrow(reason);
  await expect(absent).rejects.toBeInstanceOf(SourceUnavailable);
});
