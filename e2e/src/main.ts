import { spawn } from 'node:child_process';
import { exitCodeOf, readOptions } from '@action-platform/toolchain';
import { listStale, runStale } from './staleness/run-stale.ts';
import { suites } from './suites.ts';

/**
 * `npm run e2e -- <suite> [options]`: runs a suite that takes too long for every `npm test`, as a process of its own. It passes on the options,
 * `--help` among them, and exits with the suite's exit code. `stale` and `all` are about the suites whose sources changed since their last
 * green run.
 */
const [name = '', ...options] = process.argv.slice(2);
const suite = suites[name];
if (name === 'stale') {
  listStale();
} else if (name === 'all') {
  const { minutes } = readOptions<{ minutes: number }>(options, {
    minutes: [Number.MAX_SAFE_INTEGER, 'within which all of them end'],
  });
  process.exitCode = (await runStale(minutes)) ? 0 : 1;
} else if (suite === undefined) {
  const named = Object.entries(suites).map(([suiteName, { shows }]) => [suiteName, shows] as const);
  const commands = [
    ['stale', 'lists the suites whose sources changed since their last green run'],
    [
      'all',
      'runs those, the longest first, and keeps the green runs; --minutes N leaves out what would take longer',
    ],
  ] as const;
  const rows = [...named, ...commands].map(([row, shows]) => `  ${row.padEnd(18)} ${shows}`);
  const text = ['npm run e2e -- <suite> [options]', '', ...rows, ''].join('\n');
  const isHelp = ['', '--help', 'help'].includes(name);
  (isHelp ? process.stdout : process.stderr).write(isHelp ? text : `No suite is called ${name}.\n\n${text}`);
  process.exitCode = isHelp ? 0 : 1;
} else {
  const child = spawn(process.execPath, [...suite.run, ...options], { stdio: 'inherit' });
  process.exitCode = await exitCodeOf(child);
}
