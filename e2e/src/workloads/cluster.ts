import { execFile as execFileWithCallback } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startServer } from '@action-platform/local-servers';
import { cacheDir } from '@action-platform/toolchain';

const execFile = promisify(execFileWithCallback);

/** A cluster, as the tests reach its API server. */
export interface Cluster {
  readonly url: string;
  /** The token of an administrator. */
  readonly token: string;
  /** The file with the authority of its certificate. */
  readonly authority: string;
  stop(): Promise<void>;
}

/**
 * Starts the API server of a cluster with etcd, which it gets and builds the first time. The cluster has no node: it signs the tokens of
 * service accounts, and runs no pod.
 *
 * @param folder for its data, its keys and its logs
 * @throws Error when the API server cannot be had
 */
export async function startCluster(folder: string): Promise<Cluster> {
  const programs = join(cacheDir(), 'kube-apiserver');
  await execFile(join(import.meta.dirname, 'api-server'), [programs]);
  mkdirSync(folder, { recursive: true });
  const [clients, peers, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = await startServer({
    title: 'etcd',
    program: join(programs, 'etcd'),
    args: [
      ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync'],
      ...['--listen-client-urls', loopback(clients), '--advertise-client-urls', loopback(clients)],
      ...['--listen-peer-urls', loopback(peers), '--initial-advertise-peer-urls', loopback(peers)],
      ...['--initial-cluster', `default=${loopback(peers)}`],
    ],
    logFile: join(folder, 'etcd.log'),
    readyUrl: `${loopback(clients)}/health`,
    explain: (log) => log.at(-1),
  });
  const url = `https://127.0.0.1:${port}`;
  const token = randomUUID();
  const keys = join(folder, 'service-accounts.pem');
  const administrators = join(folder, 'administrators.csv');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(keys, privateKey.export({ format: 'pem', type: 'pkcs1' }));
  writeFileSync(administrators, `${token},admin,admin,system:masters\n`);
  const api = await startServer({
    title: 'kube-apiserver',
    program: join(programs, 'kube-apiserver'),
    args: [
      `--etcd-servers=${loopback(clients)}`,
      ...['--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', `--secure-port=${port}`],
      ...[
        `--cert-dir=${folder}`,
        '--endpoint-reconciler-type=none',
        '--service-cluster-ip-range=10.0.0.0/24',
      ],
      ...['--authorization-mode=RBAC', `--token-auth-file=${administrators}`],
      ...[`--service-account-issuer=${url}`, `--service-account-jwks-uri=${url}/openid/v1/jwks`],
      ...[`--service-account-signing-key-file=${keys}`, `--service-account-key-file=${keys}`],
    ],
    logFile: join(folder, 'kube-apiserver.log'),
    readyLine: /Serving securely/,
    explain: (log) => log.findLast((line) => line.startsWith('Error')) ?? log.at(-1),
  });
  const stop = async () => {
    await api.stop();
    await etcd.stop();
  };
  return { url, token, authority: join(folder, 'apiserver.crt'), stop };
}

const loopback = (port: number) => `http://127.0.0.1:${port}`;
