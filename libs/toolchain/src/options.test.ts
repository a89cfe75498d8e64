import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const module = pathToFileURL(`${import.meta.dirname}/options.ts`).href;
const program = `import { readCommandLine } from '${module}';
console.log(JSON.stringify(readCommandLine('npm run it', { rounds: [5, 'of each'], only: ['', 'these'] })));`;
const run = (...args: string[]) => {
  const started = ['--input-type=module', '--eval', program, '--', 'program', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, started, { encoding: 'utf8' });
  return { status, stdout, stderr };
};

test('a program has the options of its command line, with their defaults', () => {
  expect(run('--rounds', '2')).toEqual({ status: 0, stdout: '{"rounds":2,"only":""}\n', stderr: '' });
});

test('a program prints its options after --help', () => {
  const { status, stdout, stderr } = run('--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run it \[options\]\n\n {2}--rounds 5 +of each\n {2}--only … +these\n/);
});

test.each([
  [['--none'], "Unknown option '--none'"],
  [['--rounds', '0'], '--rounds takes numbers above 0, not "0"'],
])('a program ends after the options %j with one line', (args, reason) => {
  const line = `${reason}; npm run it --help lists the options.\n`;
  expect(run(...args)).toEqual({ status: 1, stdout: '', stderr: line });
});
