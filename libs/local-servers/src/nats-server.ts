import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findNatsServer } from '@action-platform/toolchain';
import { freePort } from './process/port.ts';
import { type LocalServer, type LocalServerOptions, startServer } from './process/server.ts';

/** The options of a nats-server. */
export interface NatsServerOptions extends LocalServerOptions {
  /** The server's configuration: users, permissions, limits. It has neither address, port nor server name. */
  readonly config: string;
  /** The file for the configuration, readable by this user alone. */
  readonly configFile: string;
  /** The folder for the messages that JetStream stores; without it the configuration has no JetStream. */
  readonly storeDir?: string;
}

/**
 * Starts a nats-server.
 *
 * @returns the server once it accepts connections
 * @throws LocalServerError
 */
export async function startNatsServer(options: NatsServerOptions): Promise<LocalServer> {
  const { config, configFile, storeDir, logFile, host = '127.0.0.1', launcher } = options;
  const program = options.program ?? (await findNatsServer({ onProgress: options.onProgress }));
  const port = options.port ?? (await freePort());
  await writePrivately(configFile, config);
  const server = await startServer({
    title: 'nats-server',
    program,
    // With `--name` it would refuse to reload its configuration.
    args: [
      ...['--config', configFile, '--addr', host, '--port', String(port)],
      ...(storeDir === undefined ? [] : ['--store_dir', storeDir]),
    ],
    launcher,
    logFile,
    readyLine: /\[INF\] Server is ready$/,
    explain: explainNatsLog,
  });
  return { ...server, url: `nats://${host}:${port}`, port };
}

/** Replaces the file as a whole, so that it never has the mode of an older one. */
async function writePrivately(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}

/**
 * The reason why a nats-server ended: the last complaint in its log.
 *
 * @param log the lines logged since its start
 * @returns undefined when no line is a complaint
 */
function explainNatsLog(log: readonly string[]): string | undefined {
  const complaint = log.findLast((line) => /\[(FTL|ERR)\]|^nats-server: /.test(line));
  return complaint?.replace(/^.*\[(FTL|ERR)\] |^nats-server: /, '');
}
