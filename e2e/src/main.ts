import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { chosenOf, exitCodeOf, readCommandLine, wasAskedToStop } from '@action-platform/toolchain';
import { listStale, runStale } from './staleness/run-stale.ts';
import { argumentsOf, suites } from './suites.ts';

/**
 * `npm run e2e -- <suite> [options]`: runs a suite that takes too long for every `npm test`, as a process of its own. The command passes on
 * the options, `--help` among them, and further arguments after `--`, and exits with the suite's exit code. Of several suites those with the same `run` share a process; the
 * last line names the red ones. `stale` and `all` are about the suites whose sources changed since their last green run.
 */
const root = join(import.meta.dirname, '../..');
const given = process.argv.slice(2);
const [name = ''] = given;
const end = given.findIndex((argument) => !Object.hasOwn(suites, argument));
const names = end === -1 ? given : given.slice(0, end);
// A misspelt suite would be an argument of the suite before; such arguments follow `--`.
const unknown = given[names.length] ?? '';
const isUnknown = names.length > 0 && /^[^-]/.test(unknown);
const options = given.slice(Math.max(1, names.length)).filter((argument) => argument !== '--');
if (name === 'stale') {
  listStale({ root, suites });
} else if (name === 'all') {
  const { minutes, only } = readCommandLine<{ minutes: number; only: string }>(
    'npm run e2e -- all',
    {
      minutes: [10_000, 'leaves out the suites that would end later'],
      only: ['', 'suites, with commas'],
    },
    options,
  );
  try {
    const chosen = chosenOf(only, Object.keys(suites));
    process.exitCode = (await runStale({ root, suites }, minutes, chosen)) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
} else if (names.length === 0 || isUnknown) {
  const named = Object.entries(suites).map(([suiteName, { shows }]) => [suiteName, shows] as const);
  const commands = [
    ['stale', 'lists the suites whose sources changed since their last green run'],
    [
      'all',
      'runs those, the longest stale first, and keeps the green runs; --minutes N leaves out what would end later',
    ],
  ] as const;
  const rows = [...named, ...commands].map(([row, shows]) => `  ${row.padEnd(18)} ${shows}`);
  const text = ['npm run e2e -- <suite> [<suite> …] [options]', '', ...rows, ''].join('\n');
  const isHelp = ['', '--help', 'help'].includes(name);
  (isHelp ? process.stdout : process.stderr).write(
    isHelp ? text : `No suite is called ${unknown}.\n\n${text}`,
  );
  process.exitCode = isHelp ? 0 : 1;
} else {
  const red: string[] = [];
  for (const sharing of Map.groupBy(names, (each) => suites[each]!.run.join(' ')).values()) {
    const [first, ...others] = sharing.map((each) => suites[each]!);
    const args = [...argumentsOf(first!, ...others), ...options];
    const code = await exitCodeOf(spawn(process.execPath, args, { stdio: 'inherit' }));
    if (code === 0) continue;
    process.exitCode = code;
    red.push(sharing.join(' or '));
    if (wasAskedToStop()) break;
  }
  if (names.length > 1 && red.length > 0) process.stderr.write(`Red: ${red.join(', ')}\n`);
}
