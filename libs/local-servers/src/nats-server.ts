import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findNatsServer } from '@action-platform/toolchain';
import { freePort } from './process/port.ts';
import { type LocalServer, type LocalServerOptions, startServer } from './process/server.ts';

/** The options of a nats-server. */
export interface NatsServerOptions extends LocalServerOptions {
  /** The file with the server's users, permissions and limits, without its address, port and name. */
  readonly configFile: string;
  /** The content to write there, readable by this user alone; absent when the file has it. */
  readonly config?: string;
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
  if (config !== undefined) {
    await mkdir(dirname(configFile), { recursive: true });
    // A former file would keep its mode.
    await rm(configFile, { force: true });
    await writeFile(configFile, config, { mode: 0o600 });
  }
  const server = await startServer({
    title: 'nats-server',
    program,
    // With `--name` the server would refuse to reload its configuration.
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
