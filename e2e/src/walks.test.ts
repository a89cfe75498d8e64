import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** The hops that docs/architecture.md names: `gateway/http/send.ts:send` is a function of a file. */
const hops = [
  ...readFileSync('docs/architecture.md', 'utf8').matchAll(/`([a-z-]+)\/([a-z0-9/-]+\.ts):(\w+)`/g),
].map(([, part, file, name]) => {
  const folder = [`services/${part}`, `libs/${part}`].find((candidate) => existsSync(candidate));
  return [`${folder}/src/${file}`, name!] as const;
});

test('docs/architecture.md has walks through the code', () => {
  expect(hops.length).toBeGreaterThan(40);
});

test.each(hops)('%s has %s, as docs/architecture.md says', (file, name) => {
  // Matches a function, a method or a property with a function at the beginning of a line, after its modifiers.
  const defined = `^ *(export )?((async|function\\*?|const|readonly|static) )*${name}\\b *(<.*>)?[(:=]`;
  expect(readFileSync(file, 'utf8')).toMatch(new RegExp(defined, 'm'));
});
