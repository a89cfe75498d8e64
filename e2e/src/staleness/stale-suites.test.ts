import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Suite, suites } from '../suites.ts';
import { sourcesOf } from './sources.ts';
import { cleanCommit, staleSuites } from './stale-suites.ts';

const repository = new URL('../../..', import.meta.url).pathname;
let root: string;
let commit: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const write = (file: string, text: string) => {
  mkdirSync(join(root, dirname(file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const declaration = (name: string, ...dependencies: string[]) =>
  JSON.stringify({
    name: `@p/${name}`,
    dependencies: Object.fromEntries(dependencies.map((on) => [`@p/${on}`, '1'])),
  });

const suite = (run: string[], ...holds: Suite['holds']): Suite => ({ run, shows: '', minutes: 1, holds });
const few = {
  main: suite(['e2e/main.ts', 'main'], 'docs/mail.md'),
  check: suite(['node_modules/jest/bin/jest.js', '--config', 'c', 'long'], 'services/mail'),
};

beforeAll(() => {
  root = makeTestFolder();
  git('init', '--quiet');
  write('e2e/main.ts', "import { a } from './a.ts';\nnew URL('loaded.ts', import.meta.url);");
  write('e2e/a.ts', "import { bus } from '@p/bus';");
  write('e2e/loaded.ts', '');
  write('libs/bus/package.json', declaration('bus', 'json'));
  write('libs/bus/src/bus.ts', '');
  write('libs/bus/src/bus.test.ts', '');
  write('libs/json/package.json', declaration('json'));
  write('libs/json/src/json.ts', '');
  write('services/mail/package.json', declaration('mail', 'json'));
  write('services/mail/src/mail.ts', '');
  write('services/mail/src/long.check.ts', '');
  write('docs/mail.md', '');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  commit = cleanCommit(root);
});
afterEach(() => {
  git('reset', '--quiet', '--hard', commit);
  git('clean', '--quiet', '--force', '-d');
});
afterAll(() => rmSync(root, { recursive: true }));

const stale = () => {
  const run = { commit, date: '', seconds: 60, figures: '' };
  return staleSuites(root, few, { main: run, check: run }).map(({ name }) => name);
};

test.each<[string, string[]]>([
  ['e2e/main.ts', ['main']],
  ['e2e/a.ts', ['main']],
  ['e2e/loaded.ts', ['main']],
  ['docs/mail.md', ['main']],
  ['libs/bus/src/bus.ts', ['main']],
  ['libs/bus/src/added.ts', ['main']],
  ['libs/json/src/json.ts', ['main', 'check']],
  ['services/mail/src/mail.ts', ['check']],
  ['services/mail/src/long.check.ts', ['check']],
  ['libs/bus/src/bus.test.ts', []],
  ['docs/other.md', []],
])('a change of %s makes %j stale', (file, names) => {
  write(file, 'changed');
  expect(stale()).toEqual(names);
});

test('nothing is stale without a change, and a committed change counts', () => {
  expect(stale()).toEqual([]);
  write('e2e/a.ts', 'changed');
  expect(() => cleanCommit(root)).toThrow('Commit first');
  git('add', '.');
  git('commit', '--quiet', '--message', 'second');
  expect(stale()).toEqual(['main']);
});

test('a suite without a green run, or with that of an unknown commit, is stale; the longest is first', () => {
  const all = { ...few, long: { ...few.main, minutes: 9 } };
  const run = { commit: '0'.repeat(40), date: '', seconds: 120, figures: '' };
  expect(staleSuites(root, all, { main: run })).toEqual([
    { name: 'long', minutes: 9, reason: 'no green run' },
    { name: 'main', minutes: 2, reason: 'no commit 00000000' },
    { name: 'check', minutes: 1, reason: 'no green run' },
  ]);
});

test('each suite has modules of its own and the files of what it holds', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  for (const [name, { run, holds }] of Object.entries(suites)) {
    const own = sourcesOf({ run, holds: ['none'] }, { root: repository, files });
    expect([name, own.size]).not.toEqual([name, 0]);
    for (const held of holds)
      expect([held, files.some((file) => file === held || file.startsWith(`${held}/`))]).toEqual([
        held,
        true,
      ]);
  }
});
