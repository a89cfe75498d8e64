import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { limitsMd } from './limits-md.ts';

test('docs/limits.md has the declared limits, as npm run docs writes them', () => {
  expect(readFileSync(limitsMd.file, 'utf8')).toBe(limitsMd.content);
});
