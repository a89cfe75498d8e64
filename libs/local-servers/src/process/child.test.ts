import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openServerLog } from './child.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'local-servers-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

test('the log of a run begins with the lines of this run', async () => {
  const path = join(directory, 'server.log');
  writeFileSync(path, 'an earlier run\n');
  const log = await openServerLog(path);
  await log.close();
  appendFileSync(path, 'one\ntwo');
  expect(await log.tail()).toEqual(['one', 'two']);
});

test('a long log yields its last complete lines', async () => {
  const path = join(directory, 'logs', 'server.log');
  const log = await openServerLog(path);
  await log.close();
  const line = `${'x'.repeat(99)}\n`;
  appendFileSync(path, `${line.repeat(1000)}last`);
  const lines = await log.tail();
  expect(lines.at(-1)).toBe('last');
  expect(new Set(lines.slice(0, -1))).toEqual(new Set(['x'.repeat(99)]));
  expect(lines.join('\n').length).toBeLessThanOrEqual(64 * 1024);
});

test('only its user can read a log, also one that others could read before', async () => {
  const mode = (path: string) => statSync(path).mode & 0o777;
  const fresh = join(directory, 'logs', 'server.log');
  await (await openServerLog(fresh)).close();
  expect([mode(fresh), mode(join(directory, 'logs'))]).toEqual([0o600, 0o700]);

  const kept = join(directory, 'kept.log');
  writeFileSync(kept, '', { mode: 0o644 });
  await (await openServerLog(kept)).close();
  expect(mode(kept)).toBe(0o600);
});
