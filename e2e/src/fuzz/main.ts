/** `npm run e2e -- fuzz`: runs the fuzzed properties until the time is up, or repeats one of their inputs. */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { exitCodeOf } from '@action-platform/toolchain';
import { say } from '../on-a-stack.ts';
import { jest } from '../suites.ts';

const FILES = ['e2e/src/fuzz/fuzz.stack.test.ts', 'libs/json/src/read-json.properties.test.ts'];
/** Every fuzzed property has one of these names. */
const NAMES = '(json|http|authority): ';

const usage = `npm run e2e -- fuzz [options]

  --seconds 15     for each property
  --only TEXT      properties with this text in their names: json, http, authority
  --seed NUMBER    of the inputs; a failure prints its seed and its path
  --path PATH      repeats this input of the seed, and shrinks it`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    only: { type: 'string', default: NAMES },
    seed: { type: 'string' },
    path: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const { seconds, only, seed, path } = values;
if (values.help) {
  say(usage);
  process.exit();
}
const args = [...jest('jest.config.mjs'), '--verbose', '-t', only, ...FILES];
const child = spawn(process.execPath, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    // The most verbose level shows the most forbidden text.
    LOG_LEVEL: 'debug',
    FUZZ: JSON.stringify({ seconds: Number(seconds), seed: seed && Number(seed), path }),
  },
});
process.exitCode = await exitCodeOf(child);
