import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from '../../../libs/toolchain/src/dependencies.mjs';
import { exitCodeOf } from '../../../libs/toolchain/src/exit-code.mjs';

/**
 * Installs the packages of docs/clients the first time, then runs the test files that its arguments name, on one platform. docs/clients has
 * a lock file of its own, so that the platform installs neither generators nor linters. Node's runner runs the test files, whose names
 * exclude them from Jest.
 */
const clients = fileURLToPath(new URL('..', import.meta.url));
/** Starts the platform. */
const SETUP = '--test-global-setup=test/shared-platform.ts';

try {
  if (!isInstalled(clients)) await installDependencies(clients, (line) => process.stderr.write(`${line}\n`));
  const args = ['--test', '--test-reporter=spec', '--test-concurrency=1', SETUP, ...process.argv.slice(2)];
  const tests = spawn(process.execPath, args, { cwd: clients, stdio: 'inherit' });
  process.exitCode = await exitCodeOf(tests);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
