import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCodeOf } from '@action-platform/toolchain';
import { jest } from '../suites.ts';
import { type Cluster, startCluster } from './cluster.ts';

/**
 * `npm run e2e -- workloads`: has a job call with the token of its service account, in the cluster at `CLUSTER_URL` (with `CLUSTER_TOKEN`,
 * that of an administrator, and `CLUSTER_AUTHORITY`, a file), or else in one whose API server it starts.
 */
const { CLUSTER_URL: url, CLUSTER_TOKEN: token = '', CLUSTER_AUTHORITY: authority = '' } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'action-platform-cluster-'));
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`There is no cluster: ${error instanceof Error ? error.message.trim() : error}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

async function main(): Promise<number> {
  process.stderr.write(
    'Starting the API server of a cluster; the first time it is built for some minutes.\n',
  );
  const cluster: Cluster =
    url === undefined ? await startCluster(folder) : { url, token, authority, stop: async () => {} };
  try {
    const args = [...jest('e2e/jest.config.mjs', 'checks'), 'workloads/', ...process.argv.slice(2)];
    const env = {
      ...process.env,
      ...{ CLUSTER_URL: cluster.url, CLUSTER_TOKEN: cluster.token },
      // Node.js reads authorities at its start alone: the tests and the gateway that they start trust this one.
      NODE_EXTRA_CA_CERTS: cluster.authority,
    };
    return await exitCodeOf(spawn(process.execPath, args, { env, stdio: 'inherit' }));
  } finally {
    await cluster.stop();
  }
}
