import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from '../../libs/toolchain/src/dependencies.mjs';

/**
 * What `npm run bench` runs: installs the contenders' packages the first time, then measures. They have a lock file of
 * their own, so that nobody who only wants the platform installs two frameworks with it. The toolchain is reached past
 * its entry point, as its own run.mjs is: both run before there is anything to resolve a package by.
 */
const bench = fileURLToPath(new URL('..', import.meta.url));

try {
  if (!isInstalled(bench)) await installDependencies(bench, tell);
  await import('./main.ts');
} catch (error) {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @param {string} line */
function tell(line) {
  process.stderr.write(`${line}\n`);
}
