import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { icons } from './icons.ts';

test('the icons that are served are those that the pages use', () => {
  const folder = new URL('../browser/', import.meta.url);
  const sources = globSync('**/*.js', { cwd: folder }).map((name) =>
    readFileSync(new URL(name, folder), 'utf8'),
  );
  const used = icons.filter((name) => sources.some((source) => source.includes(`'${name}'`)));
  expect(used).toEqual(icons);
});
