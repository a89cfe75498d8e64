import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorsMd } from './errors-md.ts';

test('docs/errors.md is the catalogue; node services/gateway/src/routes/docs/errors/errors-md.ts writes it', () => {
  expect(readFileSync(errorsMd.file, 'utf8')).toBe(errorsMd.content);
});
