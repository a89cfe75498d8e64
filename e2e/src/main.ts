import { spawn } from 'node:child_process';
import { exitCodeOf } from '@action-platform/toolchain';
import { suites } from './suites.ts';

/**
 * `npm run e2e -- <suite> [options]`: runs a suite that takes too long for every `npm test`, as a process of its own.
 * It passes on the options, `--help` among them, and exits with the suite's exit code.
 */
const [name = '', ...options] = process.argv.slice(2);
const suite = suites[name];
if (suite === undefined) {
  const rows = Object.entries(suites).map(([suiteName, { shows }]) => `  ${suiteName.padEnd(10)} ${shows}`);
  const text = ['npm run e2e -- <suite> [options]', '', ...rows, ''].join('\n');
  const isHelp = ['', '--help', 'help'].includes(name);
  (isHelp ? process.stdout : process.stderr).write(isHelp ? text : `No suite is called ${name}.\n\n${text}`);
  process.exitCode = isHelp ? 0 : 1;
} else {
  const child = spawn(process.execPath, [...suite.run, ...options], { stdio: 'inherit' });
  process.exitCode = await exitCodeOf(child);
}
