import { mkdir, readFile } from 'node:fs/promises';
import { replicaSet, urlForMember } from '@action-platform/mongo';
import { findMongod } from '@action-platform/toolchain';
import { freePort } from '../process/port.ts';
import { type LocalServer, type LocalServerOptions, startServer } from '../process/server.ts';
import { explainMongodLog } from './explain-log.ts';
import { becomePrimary } from './replica-set.ts';

/** The options of a mongod. */
export interface MongodOptions extends LocalServerOptions {
  /** The data directory; created if missing, readable by this user alone. Another start may serve the same data on another port. */
  readonly dataDir: string;
  /** Its authentication; none by default. */
  readonly guard?: MongodGuard | undefined;
  /** A member of a replica set with several, which the caller initiates; by default the primary of a set of one. */
  readonly isMember?: boolean;
  /** Whether tests can inject faults (`configureFailPoint`). */
  readonly hasFailPoints?: boolean;
}

/** A mongod with authentication. */
interface MongodGuard {
  /** Its configuration, which names the key file and, with TLS, the certificates. */
  readonly configFile: string;
  readonly keyFile: string;
  /** The authority of its certificate, with TLS. */
  readonly authorityFile?: string | undefined;
}

/**
 * Starts a mongod with a journal, by default as the primary of a replica set of one, so that majority writes and retryable writes
 * work as in production. After a crash the mongod recovers from its journal by itself.
 *
 * @returns the server once it accepts writes, or connections as one of several members; its URL connects directly, with authentication as a member of its replica set, which has all rights
 * @throws LocalServerError
 */
export async function startMongod(options: MongodOptions): Promise<LocalServer> {
  const { dataDir, logFile, launcher, hasFailPoints = false, isMember = false } = options;
  const { host = '127.0.0.1' } = options;
  const program = options.program ?? (await findMongod({ onProgress: options.onProgress }));
  const port = options.port ?? (await freePort());
  const url = await urlOf(`${host}:${port}`, options.guard);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const server = await startServer({
    title: 'mongod',
    program,
    args: [
      ...(options.guard === undefined ? [] : ['--config', options.guard.configFile]),
      ...['--dbpath', dataDir, '--port', String(port), '--bind_ip', host, '--nounixsocket', '--quiet'],
      ...['--replSet', replicaSet, '--oplogSize', oplogSizeMB, '--wiredTigerCacheSizeGB', '0.25'],
      // mongod's log line about a slow operation would quote its payloads and keys.
      ...['--slowOpSampleRate', '0'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...['--setParameter', `enableTestCommands=${hasFailPoints}`],
    ],
    env: { ...process.env, ...allocatorEnv },
    launcher,
    logFile,
    readyLine: /"msg":"Waiting for connections"/,
    ...(!isMember && { prepare: (signal) => becomePrimary(url, `${host}:${port}`, signal) }),
    explain: explainMongodLog,
  });
  return { ...server, url, port };
}

async function urlOf(address: string, guard: MongodGuard | undefined): Promise<string> {
  const url = `mongodb://${address}/?directConnection=true`;
  if (guard === undefined) return url;
  const { keyFile, authorityFile } = guard;
  const tls = authorityFile === undefined ? {} : { tls: 'true', tlsCAFile: authorityFile };
  return urlForMember((await readFile(keyFile, 'utf8')).trim(), url, tls);
}

/**
 * The change feed reads the oplog. The oplog has room for ten minutes of pushes at full speed, so a feed that was away for that long misses
 * nothing. By default the oplog grows to 5 % of the disk.
 */
const oplogSizeMB = '3072';

/** mongod's allocator keeps its per-CPU caches only where glibc leaves it rseq; mongod warns of it at start-up. */
const allocatorEnv = { GLIBC_TUNABLES: 'glibc.pthread.rseq=0' };
