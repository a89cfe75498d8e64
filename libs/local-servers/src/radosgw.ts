import { execFile as execFileWithCallback } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '@action-platform/toolchain';
import { freePort } from './process/port.ts';
import { type LocalServer, startServer } from './process/server.ts';

const execFile = promisify(execFileWithCallback);
/** Of radosgw-admin 18.2 one run in twelve hangs when its work is done, which takes 50 ms. */
const administeredWithinMs = 3_000;

/** A running radosgw. */
export interface Radosgw extends LocalServer {
  /** Runs radosgw-admin on its store: `user create …`. */
  administer(...args: string[]): Promise<void>;
}

/** The folder of radosgw, Ceph's S3 server, with all its libraries: `npm run e2e -- adapters` unpacks it there. */
export function radosgwFolder(): string {
  return join(cacheDir(), 'next-debian-radosgw');
}

/** Whether this machine has radosgw. */
export function hasRadosgw(): boolean {
  return existsSync(join(radosgwFolder(), 'usr/bin/radosgw'));
}

/**
 * Starts radosgw as one process, without a cluster, with users and objects in SQLite files. radosgw runs by the loader of the release that
 * it was built for, as this machine may have an older glibc.
 *
 * @param folder for its data and its log
 * @throws LocalServerError
 */
export async function startRadosgw(folder: string): Promise<Radosgw> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = join(folder, 'ceph.conf');
  await writeFile(config, '');
  const program = (name: string) => join(radosgwFolder(), 'usr/bin', name);
  const [loader = ''] = globSync(join(radosgwFolder(), 'usr/lib/*/ld-linux-*.so.*'));
  const libraries = join(loader, '..');
  const launcher = [loader, '--library-path', `${libraries}:${join(libraries, 'ceph')}`];
  const options = [
    ...['--no-mon-config', '--conf', config, '--name', 'client.radosgw', '--admin-socket='],
    ...['--rgw-backend-store=dbstore', '--rgw-config-store=dbstore', `--run-dir=${folder}`],
    ...[`--rgw-data=${folder}`, `--dbstore-db-dir=${folder}`, `--keyring=${join(folder, 'keyring')}`],
    `--dbstore-config-uri=file:${join(folder, 'config.db')}`,
  ];
  const server = await startServer({
    title: 'radosgw',
    program: program('radosgw'),
    args: ['--foreground', ...options, `--rgw-frontends=beast endpoint=127.0.0.1:${port}`],
    launcher,
    logFile: join(folder, 'radosgw.log'),
    readyUrl: url,
    explain: (log) => log.findLast((line) => line !== ''),
  });
  return {
    ...server,
    url,
    port,
    // radosgw may hang at its end, as radosgw-admin does.
    stop: async () => {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
    },
    administer: (...args) => administer([...launcher, program('radosgw-admin'), ...options, ...args]),
  };
}

/** Runs radosgw-admin until it ends by itself. A repetition that fails has nothing left to do. */
async function administer([command = '', ...args]: readonly string[]): Promise<void> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      await execFile(command, args, { timeout: administeredWithinMs, killSignal: 'SIGKILL' });
      return;
    } catch (error) {
      const { killed = false } = error as { killed?: boolean };
      if (!killed && !isRepeated) throw error;
      if (!killed) return;
    }
  }
}
