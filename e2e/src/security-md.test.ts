import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const lines = readFileSync('docs/security.md', 'utf8').split('\n');
const claims = lines.filter((line) => /^\| (?!Attack )/.test(line));

test('the page has claims', () => {
  expect(claims.length).toBeGreaterThan(20);
});

test.each(claims)('names a test that exists: %s', (claim) => {
  const shownBy = claim.split('|').at(-2)!;
  const files = [...shownBy.matchAll(/\]\((.*?)\)/g)].map(([, file]) => file!);
  expect(files).not.toEqual([]);
  for (const file of files) {
    expect(file).toMatch(/\.(test|check)\.ts$/);
    expect([file, existsSync(join('docs', file))]).toEqual([file, true]);
  }
});
