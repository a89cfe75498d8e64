import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { withLock } from './lock.mjs';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolchain-'));
  path = join(directory, 'sub', 'lock');
});

afterEach(() => rmSync(directory, { recursive: true }));

test('who comes second is told, waits and then has its turn', async () => {
  const events: string[] = [];
  const { promise: secondWaits, resolve: tellSecondWaits } = Promise.withResolvers<void>();
  const { promise: firstStarts, resolve: tellFirstStarts } = Promise.withResolvers<void>();
  const first = withLock(
    path,
    () => {},
    async () => {
      events.push('first starts');
      tellFirstStarts();
      await secondWaits;
      events.push('first ends');
    },
  );
  await firstStarts;
  const second = withLock(path, tellSecondWaits, () => Promise.resolve(events.push('second starts')));
  await Promise.all([first, second]);
  expect(events).toEqual(['first starts', 'first ends', 'second starts']);
  expect(existsSync(path)).toBe(false);
});

test('the lock is free again after work that failed', async () => {
  const failed = withLock(
    path,
    () => {},
    () => Promise.reject(new Error('failed')),
  );
  await expect(failed).rejects.toThrow('failed');
  expect(existsSync(path)).toBe(false);
});

test('a lock that its holder has not touched for long is taken over', async () => {
  mkdirSync(path, { recursive: true });
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(path, longAgo, longAgo);
  await expect(
    withLock(
      path,
      () => {},
      () => Promise.resolve('done'),
    ),
  ).resolves.toBe('done');
});
