import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { adminMd } from './admin-md.ts';

test('docs/admin.md lists the commands as they are declared; npm run docs writes it', () => {
  expect(readFileSync(adminMd.file, 'utf8')).toBe(adminMd.content);
});
