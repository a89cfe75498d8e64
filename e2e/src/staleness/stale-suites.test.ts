import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, jest as jestMock, test } from '@jest/globals';
import { type Suite, suites } from '../suites.ts';
import { PAGE, RUNS, readGreenRuns } from './green-runs.ts';
import { runStale } from './run-stale.ts';
import { OF_ALL, sourcesOf } from './sources.ts';
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
const jest = ['node_modules/jest/bin/jest.js', '--config', 'c'];
const few = {
  main: suite(['e2e/main.ts', 'main'], 'docs/mail.md'),
  check: { ...suite(jest, 'services/mail'), tests: ['long'] },
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
  for (const file of OF_ALL) write(file, '{}');
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
  ['package-lock.json', ['main', 'check']],
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

test('the longest stale suite is first, without a green run or with that of an unknown commit; of equals the shortest', () => {
  const ran = (of: string, seconds: number) => ({ commit: of, date: '', seconds, figures: '' });
  write('e2e/a.ts', 'changed');
  git('add', '.');
  git('commit', '--quiet', '--message', 'second');
  const { main } = few;
  const all = { recent: main, long: { ...main, minutes: 9 }, unknown: main, old: main, check: few.check };
  write('docs/mail.md', 'changed');
  const runs = {
    recent: ran(git('rev-parse', 'HEAD').trim(), 600),
    unknown: ran('0'.repeat(40), 120),
    old: ran(commit, 60),
  };
  expect(staleSuites(root, all, runs).map(({ name, minutes, reason }) => [name, minutes, reason])).toEqual([
    ['check', 1, 'no green run'],
    ['unknown', 2, 'no commit 00000000'],
    ['long', 9, 'no green run'],
    ['old', 1, 'docs/mail.md and 1 more'],
    ['recent', 10, 'docs/mail.md'],
  ]);
});

test('all stale suites run, also after a red one, and each green run is kept where it makes nothing stale', async () => {
  const script = (text: string) => suite(['--eval', text], 'docs/mail.md');
  const table = '| Suite | Last green run of a commit | Took | Figures |\n|---|---|---|---|\n';
  write(PAGE, table);
  write(RUNS, '{}');
  git('add', '.');
  git('commit', '--quiet', '--message', 'the table');
  const head = cleanCommit(root);
  const red = { ...script('process.exit(3)'), minutes: 0.5 };
  const long = { ...script("throw 'It must not begin'"), minutes: 30 };
  const green = script("console.log('12 calls in 3 s'); console.error('done 1')");
  const changing = script("require('node:fs').writeFileSync('docs/mail.md', 'changed')");
  const all = { red, green, long };
  expect(await runStale({ root, suites: all }, 20)).toBe(false);
  expect(readGreenRuns(root)).toEqual({
    green: {
      commit: head,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      seconds: expect.any(Number),
      figures: '12 calls in 3 s',
    },
  });
  expect(readFileSync(join(root, PAGE), 'utf8')).toMatch(
    new RegExp(`^\\| \`green\` \\| .*, \`${head.slice(0, 8)}\` \\| \\d+ s \\| 12 calls in 3 s \\|$`, 'm'),
  );
  expect(cleanCommit(root)).toBe(head);
  git('commit', '--quiet', '--all', '--message', 'the green runs');
  expect(staleSuites(root, all, readGreenRuns(root)).map(({ name }) => name)).toEqual(['red', 'long']);
  expect(await runStale({ root, suites: { changing } }, 20)).toBe(false);
  expect(readGreenRuns(root)).not.toHaveProperty('changing');
  // A source that changes between suites ends no summary.
  const printed = jestMock.spyOn(process.stdout, 'write').mockReturnValue(true);
  git('checkout', '--quiet', 'docs/mail.md');
  expect(await runStale({ root, suites: { first: changing, second: changing } }, 20)).toBe(false);
  expect(printed.mock.calls.at(-1)![0]).toMatch(/^\nfirst +not kept.*\nsecond +not begun: Commit first.*\n$/);
  printed.mockRestore();
});

test('a run that skipped tests is kept for a suite alone that says why', async () => {
  write(PAGE, '');
  write(RUNS, '{}');
  git('add', '.');
  git('commit', '--quiet', '--message', 'no runs');
  const skipping = suite(
    ['--eval', "console.error('Tests:       1 skipped, 2 passed, 3 total')"],
    'docs/mail.md',
  );
  const all = { skipping, explained: { ...skipping, skips: 'the others' } };
  expect(await runStale({ root, suites: all }, 20)).toBe(false);
  expect(Object.keys(readGreenRuns(root))).toEqual(['explained']);
});

test('each suite has modules of its own and the files of what it holds', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const checkout = { root: repository, files };
  const all = new Set<string>();
  for (const [name, { run, tests = [], holds }] of Object.entries(suites)) {
    const own = sourcesOf({ run, tests, holds: ['none'] }, checkout);
    expect([name, own.size]).not.toEqual([name, OF_ALL.length]);
    for (const source of sourcesOf({ run, tests, holds }, checkout)) all.add(source);
    for (const held of holds)
      expect([held, files.some((file) => file === held || file.startsWith(`${held}/`))]).toEqual([
        held,
        true,
      ]);
  }
  const tests = files.filter((file) => /\.(check|container\.test)\.ts$|^e2e\/src\/fuzz\//.test(file));
  expect(tests.filter((file) => !all.has(file))).toEqual([]);
  expect([RUNS, PAGE].filter((file) => all.has(file))).toEqual([]);
});
