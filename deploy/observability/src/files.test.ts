import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { files } from './files.ts';

test.each(files)('$file is as it is made; npm run docs writes it', ({ file, content }) => {
  expect(readFileSync(file, 'utf8')).toBe(content);
});
