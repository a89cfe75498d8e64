import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { suites } from './suites.ts';

const pages = globSync('{*,docs/**/*,bench/*}.md', { exclude: ['**/node_modules/**'] });
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };

/** A page without its blocks of code. */
const proseOf = (page: string) => readFileSync(page, 'utf8').replaceAll(/^```.*?^```/gms, '');

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): string[] {
  const headings = proseOf(page).matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/\]\(.*?\)|[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

test('finds the pages', () => expect(pages.length).toBeGreaterThan(15));

describe.each(pages)('%s', (page) => {
  const prose = proseOf(page);

  test('has no broken link', () => {
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const broken = links.filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test('names existing files and commands', () => {
    const files = [...prose.matchAll(/`((?:libs|services|deploy|docs|bench|e2e)\/[\w./-]+\.\w+)`/g)];
    const commands = [...prose.matchAll(/npm run (?:--silent )?([a-z][a-z0-9:]*)/g)];
    const suiteNames = [...prose.matchAll(/npm run e2e -- ([a-z]+)/g)];
    expect(files.map(([, file]) => file!).filter((file) => !existsSync(file))).toEqual([]);
    expect(commands.map(([, name]) => name!).filter((name) => !(name in scripts))).toEqual([]);
    expect(suiteNames.map(([, name]) => name!).filter((name) => !(name in suites))).toEqual([]);
  });
});
