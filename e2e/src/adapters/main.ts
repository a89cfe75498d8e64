import { spawn } from 'node:child_process';
import { exitCodeOf } from '@action-platform/toolchain';
import { jest } from '../suites.ts';
import { dovecot } from './dovecot.ts';
import { s3Server } from './s3-server.ts';

/**
 * `npm run e2e -- adapters`: gets the servers of other makers that keep mail and files, and tests the adapters on them. `npm test` runs
 * the same tests on those that it finds.
 */
for (const { title, get } of [s3Server, dovecot]) {
  process.stderr.write(`Finding ${title}.\n`);
  await get();
}
const tests = spawn(
  process.execPath,
  [...jest('e2e/src/adapters/jest.config.mjs'), ...process.argv.slice(2)],
  // Each property of faults has more runs here than in `npm test`.
  { stdio: 'inherit', env: { ADAPTER_RUNS: '100', ...process.env } },
);
process.exitCode = await exitCodeOf(tests);
