import { spawn } from 'node:child_process';
import { createWriteStream, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchRadosgw } from '@action-platform/container';
import { SpanReceiver } from '@action-platform/testing';
import { findDovecot } from '@action-platform/testing/dovecot';
import { aptInstall, exitCodeOf } from '@action-platform/toolchain';
import { jest } from '../suites.ts';
import { scanForSecrets } from './secrets.ts';

/**
 * `npm run e2e -- adapters`: gets the servers of other makers that keep mail and files, and tests the adapters on them. `npm test`
 * runs those of the tests that take little time, on servers that it finds. At the end the suite looks for secrets in the databases,
 * logs, answers and spans of all tests.
 */
process.stderr.write('Finding an S3 server and Dovecot.\n');
// The one at S3_TEST_ENDPOINT, or else Ceph's radosgw.
if (process.env.S3_TEST_ENDPOINT === undefined) await fetchRadosgw();
// The one of this machine, or else that of Debian, which root installs.
if (findDovecot() === undefined) await aptInstall('dovecot-imapd');
const options = process.argv.slice(2);
const evidence = await mkdtemp(join(tmpdir(), 'action-platform-evidence-'));
const receiver = await SpanReceiver.start();
const tests = spawn(process.execPath, [...jest('e2e/jest.config.mjs', 'adapters'), ...options], {
  // Jest reports to stderr; the services in its processes log to stdout.
  stdio: ['inherit', 'pipe', 'inherit'],
  env: {
    // Each property of faults has more runs here than in `npm test`.
    ADAPTER_RUNS: '100',
    ...process.env,
    ...receiver.environment,
    TEST_EVIDENCE_DIR: evidence,
    NODE_OPTIONS: '--import @action-platform/telemetry/register',
  },
});
tests.stdout.pipe(createWriteStream(join(evidence, 'logs'), { flags: 'a' }));
const exitCode = await exitCodeOf(tests);
writeFileSync(join(evidence, 'spans'), receiver.texts.join('\n'));
receiver.stop();
const { lines, isClean } = scanForSecrets(evidence, options.length === 0);
rmSync(evidence, { recursive: true });
process.stderr.write(`${lines.join('\n')}\n`);
process.exitCode = isClean ? exitCode : 1;
