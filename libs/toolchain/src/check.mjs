import { spawn } from 'node:child_process';
import { exitCodeOf, wasAskedToStop } from './exit-code.mjs';

/**
 * `npm run check [-- step …] [options]`: runs the static checks, or the named ones alone; options go to each of them. Every
 * check runs, also after another one failed, and ends with a line that has its result and its time. A signal ends all of them.
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
/** The steps that fetch programs and take minutes. */
const onlyByName = ['deploy', 'alerts'];
/** @type {Readonly<Record<string, string | undefined>>} the commands that mend most findings of a check */
const mends = { lint: 'npm run format', docs: 'npm run docs' };

const args = process.argv.slice(2);
const named = args.filter((arg) => Object.hasOwn(checks, arg));
const options = args.filter((arg) => !named.includes(arg));
const chosen = named.length > 0 ? named : Object.keys(checks).filter((name) => !onlyByName.includes(name));
for (const name of chosen) {
  const begun = performance.now();
  const check = spawn(process.execPath, [...(checks[name] ?? []), ...options], { stdio: 'inherit' });
  const exitCode = await exitCodeOf(check);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const hint = mends[name] === undefined ? '' : `; "${mends[name]}" mends most findings`;
  process.stderr.write(`${name}: ${exitCode === 0 ? 'passed' : `FAILED${hint}`} (${seconds} s)\n`);
  process.exitCode ||= exitCode;
  if (wasAskedToStop() || exitCode > 128) break;
}
