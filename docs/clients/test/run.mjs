import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from '../../../libs/toolchain/src/dependencies.mjs';
import { exitCodeOf } from '../../../libs/toolchain/src/exit-code.mjs';

/**
 * Runs `npm run e2e -- clients`: it installs the packages of docs/clients the first time, then runs its tests. They have a lock
 * file of their own, so that the platform installs neither generators nor linters. Node's runner runs them; their names exclude
 * them from Jest.
 */
const clients = fileURLToPath(new URL('..', import.meta.url));

try {
  if (!isInstalled(clients)) await installDependencies(clients, (line) => process.stderr.write(`${line}\n`));
  const files = process.argv.length > 2 ? process.argv.slice(2) : ['test/*.check.ts'];
  const args = ['--test', '--test-reporter=spec', '--test-concurrency=1', ...files];
  const tests = spawn(process.execPath, args, { cwd: clients, stdio: 'inherit' });
  process.exitCode = await exitCodeOf(tests);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
