/** `npm run e2e -- fuzz`: runs the fuzzed properties until the time is up, or repeats one of their inputs. */
import { spawn } from 'node:child_process';
import { chosenOf, type Declared, exitCodeOf, positive, readCommandLine } from '@action-platform/toolchain';
import { jest } from '../suites.ts';

const FILES = ['e2e/src/fuzz/fuzz.stack.test.ts', 'libs/json/src/read-json.properties.test.ts'];
/** Every fuzzed property begins with one of these names. */
const NAMES = ['json', 'http', 'authority', 'oauth'];

const declared: Declared<Record<'minutes' | 'only' | 'seed' | 'path', string> & { seconds: number }> = {
  seconds: [15, 'for each property'],
  minutes: ['', 'for each property, in place of seconds'],
  only: ['', `properties: ${NAMES.join(', ')}`],
  seed: ['', 'of the inputs; a failure prints its seed and its path'],
  path: ['', 'repeats this input of the seed, and shrinks it'],
};

const { minutes, only, seed, path, ...options } = readCommandLine('npm run e2e -- fuzz', declared);
const seconds = minutes === '' ? options.seconds : positive('--minutes', minutes) * 60;
const args = [
  ...jest('jest.config.mjs'),
  '--verbose',
  '-t',
  `^(${chosenOf(only, NAMES).join('|')}): `,
  ...FILES,
];
const child = spawn(process.execPath, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    // The most verbose level shows the most forbidden text.
    LOG_LEVEL: 'debug',
    FUZZ: JSON.stringify({ seconds, ...(seed && { seed: Number(seed) }), ...(path && { path }) }),
  },
});
process.exitCode = await exitCodeOf(child);
