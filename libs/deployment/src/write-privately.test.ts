import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writePrivately } from './write-privately.ts';

test('a file is replaced as a whole, by one that its user alone reads', () => {
  const root = mkdtempSync(join(tmpdir(), 'written-'));
  const file = join(root, 'keys', 'seed');
  writePrivately(file, 'first');
  expect(statSync(join(root, 'keys')).mode & 0o777).toBe(0o700);
  chmodSync(file, 0o644);
  writePrivately(file, 'second');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(root, 'keys'))).toEqual(['seed']);
  rmSync(root, { recursive: true });
});
