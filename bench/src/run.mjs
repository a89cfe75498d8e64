import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from '../../libs/toolchain/src/dependencies.mjs';

/**
 * What `npm run bench`, `npm run growth` and `npm run siege` run: installs the packages of this folder the first time, then runs the
 * script named first (`main.ts`, `growth/main.ts`, `siege/main.ts`) with the other arguments. They have a lock file of their own, so that
 * nobody who only wants the platform installs two frameworks with it. The toolchain is reached past its entry point, as
 * its own run.mjs is: both run before there is anything to resolve a package by.
 */
const bench = fileURLToPath(new URL('..', import.meta.url));

try {
  if (!isInstalled(bench)) await installDependencies(bench, tell);
  const [script] = process.argv.splice(2, 1);
  await import(`./${script}`);
} catch (error) {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @param {string} line */
function tell(line) {
  process.stderr.write(`${line}\n`);
}
