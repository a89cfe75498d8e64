import { fileURLToPath } from 'node:url';
import { installDependencies, isInstalled } from '../../libs/toolchain/src/dependencies.mjs';

/**
 * `npm run bench [-- beside|growth|siege] [options]` installs the packages of this folder the first time, then runs the measurements. Their
 * own lock file keeps two frameworks out of the platform's packages. The toolchain is imported by path, because nothing resolves a package
 * yet.
 */
const bench = fileURLToPath(new URL('..', import.meta.url));

try {
  if (!isInstalled(bench)) await installDependencies(bench, tell);
  const [command = ''] = process.argv.slice(2);
  const isNamed = ['beside', 'growth', 'siege'].includes(command);
  if (isNamed) process.argv.splice(2, 1);
  await import(isNamed ? `./${command}/main.ts` : './main.ts');
} catch (error) {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** @param {string} line */
function tell(line) {
  process.stderr.write(`${line}\n`);
}
