import { spawn } from 'node:child_process';
import { exitCodeOf } from '@action-platform/toolchain';
import { jest } from '../suites.ts';
import { s3Server } from './s3-server.ts';

/**
 * `npm run e2e -- adapters`: gets the servers of other makers that keep mail and files, and tests the adapters on them. `npm test` runs
 * the same tests on those that it finds.
 */
for (const { title, get } of [s3Server]) {
  process.stderr.write(`Finding ${title}.\n`);
  await get();
}
const tests = spawn(
  process.execPath,
  [...jest('e2e/src/adapters/jest.config.mjs'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
);
process.exitCode = await exitCodeOf(tests);
