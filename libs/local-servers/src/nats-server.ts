import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as encrypted } from 'node:tls';
import { findNatsServer } from '@action-platform/toolchain';
import { connectWhenListening, freePort } from './process/port.ts';
import { type LocalServer, type LocalServerOptions, startServer } from './process/server.ts';

const askAgainAfterMs = 10;

/** The options of a nats-server. */
export interface NatsServerOptions extends LocalServerOptions {
  /** The server's configuration: users, permissions, limits. It has neither address, port nor server name. */
  readonly config: string;
  /** The file for the configuration, readable by this user alone. */
  readonly configFile: string;
  /** The authority of its certificate, with TLS from the first byte on. */
  readonly authorityFile?: string | undefined;
}

/**
 * Starts a nats-server.
 *
 * @returns the server once it accepts connections
 * @throws LocalServerError
 */
export async function startNatsServer(options: NatsServerOptions): Promise<LocalServer> {
  const { config, configFile, logFile, host = '127.0.0.1', launcher } = options;
  const program = options.program ?? (await findNatsServer({ onProgress: options.onProgress }));
  const port = options.port ?? (await freePort());
  const authority = options.authorityFile && (await readFile(options.authorityFile, 'utf8'));
  await writePrivately(configFile, config);
  return await startServer({
    title: 'nats-server',
    program,
    // With `--name` it would refuse to reload its configuration.
    args: ['--config', configFile, '--addr', host, '--port', String(port)],
    launcher,
    url: `nats://${host}:${port}`,
    port,
    logFile,
    ready: (pid, signal) => isGreetedBy({ pid, logFile, host, port, authority }, signal),
    explain: explainNatsLog,
  });
}

/** Replaces the file as a whole, so that it never has the mode of an older one. */
async function writePrivately(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}

/** A starting server. */
interface Starting {
  readonly pid: number;
  readonly logFile: string;
  readonly host: string;
  readonly port: number;
  /** The authority of its certificate, with TLS. */
  readonly authority: string | undefined;
}

/**
 * Waits for the server's `INFO {…}`, the first line of every connection, with the id in the server's log. While another server
 * answers on that port it waits: this one cannot listen there, and ends by itself.
 */
async function isGreetedBy(server: Starting, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [, id] = /"server_id":"(\w+)"/.exec(await greeting(server, signal)) ?? [];
    const logged = new RegExp(`^\\[${server.pid}\\] .* ID: +${id}$`, 'm');
    if (logged.test(await readFile(server.logFile, 'utf8'))) return;
    await sleep(askAgainAfterMs, undefined, { signal });
  }
}

async function greeting({ authority, ...server }: Starting, signal: AbortSignal): Promise<string> {
  const plain = await connectWhenListening(server, signal);
  const socket = authority ? encrypted({ socket: plain, host: server.host, ca: authority }) : plain;
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text;
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
