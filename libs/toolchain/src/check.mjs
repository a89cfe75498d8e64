import { spawn } from 'node:child_process';
import { exitCodeOf } from './exit-code.mjs';

/**
 * `npm run check [-- step …] [options]`: runs the static checks, or the named ones alone; options go to each of them. The first
 * check that fails ends it.
 */

const jest = 'node_modules/jest/bin/jest.js';

/** @type {Readonly<Record<string, readonly string[]>>} the arguments of Node.js for each check */
const checks = {
  types: ['node_modules/typescript/bin/tsc', '--project', 'tsconfig.json'],
  browser: ['node_modules/typescript/bin/tsc', '--project', 'libs/console/browser'],
  lint: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  layers: ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', 'libs', 'services', 'deploy', 'e2e'],
  arrows: ['libs/toolchain/src/arrows.mjs'],
  unused: ['node_modules/knip/bin/knip.js'],
  docs: ['libs/toolchain/src/docs.mjs', '--check'],
  deploy: [jest, '--config', 'deploy/jest.config.mjs', '--selectProjects', 'deploy'],
  alerts: ['deploy/observability/src/check.ts'],
};
/** These fetch programs and take minutes. */
const onlyByName = ['deploy', 'alerts'];

const args = process.argv.slice(2);
const named = args.filter((arg) => Object.hasOwn(checks, arg));
const options = args.filter((arg) => !named.includes(arg));
const chosen = named.length > 0 ? named : Object.keys(checks).filter((name) => !onlyByName.includes(name));
for (const name of chosen) {
  const check = spawn(process.execPath, [...(checks[name] ?? []), ...options], { stdio: 'inherit' });
  process.exitCode = await exitCodeOf(check);
  if (process.exitCode === 0) continue;
  process.stderr.write(`The check "${name}" failed.\n`);
  break;
}
