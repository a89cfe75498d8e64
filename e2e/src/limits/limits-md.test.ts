import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { limitsMd } from './limits-md.ts';

test('docs/limits.md tells the limits as they are declared; npm run docs writes it', () => {
  expect(readFileSync(limitsMd.file, 'utf8')).toBe(limitsMd.content);
});
