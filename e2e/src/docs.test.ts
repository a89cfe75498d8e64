import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { demoFolder } from './demo-folder.ts';
import { pastedAlone, samplesOf } from './docs-samples.ts';
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

test('every suite runs each night', () => {
  const workflow = readFileSync('.github/workflows/nightly.yml', 'utf8');
  const [, matrix] = workflow.match(/\n +suite:\n((?: +- .*\n)+)/)!;
  const nightly = new Set(matrix!.match(/(?<=- )[\w-]+/g));
  expect([...nightly, 'container'].toSorted()).toEqual(Object.keys(suites).toSorted());
});

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
    const suiteNames = [...prose.matchAll(/npm run e2e -- ([a-z][a-z-]*)/g)];
    expect(files.map(([, file]) => file!).filter((file) => !existsSync(file))).toEqual([]);
    expect(commands.map(([, name]) => name!).filter((name) => !(name in scripts))).toEqual([]);
    const known = [...Object.keys(suites), 'stale', 'all'];
    expect(suiteNames.map(([, name]) => name!).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe.each(pages.filter((page) => samplesOf(page, 'sh').some((block) => block.includes('docs/demo.sh'))))(
  '%s',
  (page) => {
    test.each(samplesOf(page, 'sh').map((block, index) => [index, block] as const))(
      'block %i, pasted before the others and without a platform, says what to do',
      (_index, block) =>
        expect(pastedAlone(block)).toMatch(/^(No platform has run .* npm start|.*: Paste )/m),
    );
  },
);

test('pick of docs/demo.sh fails when the answer lacks the part', () => {
  const member = { user_id: 'u', token: 't' };
  const demo = { base_url: 'http://127.0.0.1:1', gateways: [], workspace_id: 'ws_0', owner: member, member };
  const block = `. docs/demo.sh\necho '{"endpoint":{}}' | pick secret`;
  expect(pastedAlone(block, demoFolder(demo))).toBe('The answer has no secret.\n');
});

describe('docs/code.md', () => {
  /** The hops that it names: `gateway/http/send.ts:send` is a function of a file. */
  const hops = [
    ...readFileSync('docs/code.md', 'utf8').matchAll(/`([a-z-]+)\/([a-z0-9/-]+\.ts):(\w+)`/g),
  ].map(([, part, file, name]) => {
    const folder = [`services/${part}`, `libs/${part}`].find((candidate) => existsSync(candidate));
    return [`${folder}/src/${file}`, name!] as const;
  });

  test('has walks through the code, which open each file once', () => {
    const files = hops.map(([file]) => file);
    expect(files.length).toBeGreaterThan(30);
    expect(files).toEqual([...new Set(files)]);
  });

  test.each(hops)('%s has %s', (file, name) => {
    // Matches a function, a class, a method or a property with a function at the beginning of a line, after its modifiers.
    const modifiers = '(export )?((async|function\\*?|class|const|readonly|static) )*';
    const defined = `^ *${modifiers}${name}\\b( implements .*)? *(<.*>)? *[(:=<{]`;
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(defined, 'm'));
  });
});

describe('docs/security.md', () => {
  const lines = readFileSync('docs/security.md', 'utf8').split('\n');
  const claims = lines.filter((line) => /^\| (?!Attack )/.test(line));

  test('has claims', () => expect(claims.length).toBeGreaterThan(20));

  test.each(claims)('names a test: %s', (claim) => {
    const shownBy = claim.split('|').at(-2)!;
    const files = [...shownBy.matchAll(/\]\((.*?)\)/g)].map(([, file]) => file!);
    expect(files).not.toEqual([]);
    for (const file of files) expect(file).toMatch(/\.(test|check)\.ts$/);
  });
});
