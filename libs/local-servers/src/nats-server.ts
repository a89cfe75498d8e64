import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as encrypted } from 'node:tls';
import { findNatsServer } from '@action-platform/toolchain';
import { connectWhenListening, freePort } from './process/port.ts';
import { type LocalServer, type LocalServerOptions, startServer } from './process/server.ts';

const askAgainAfterMs = 10;

/** A nats-server of one's own. */
export interface NatsServerOptions extends LocalServerOptions {
  /** The server's configuration: users, permissions, limits. Address, port and server name are not its business. */
  readonly config: string;
  /** Where the configuration is written to, for this user's eyes only. */
  readonly configFile: string;
  /** The authority that signed its certificate, when it encrypts from the first byte on. */
  readonly authorityFile?: string | undefined;
}

/**
 * Starts a nats-server.
 *
 * @returns the server once it takes connections
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
    // No `--name`: with one it refuses to read its configuration again.
    args: ['--config', configFile, '--addr', host, '--port', String(port)],
    launcher,
    url: `nats://${host}:${port}`,
    port,
    logFile,
    ready: (pid, signal) => isGreetedBy({ pid, logFile, host, port, authority }, signal),
    explain: (log) => explainNatsLog(log, port),
  });
}

/** Replaces the file as a whole, so that it never has the mode of an older one. */
async function writePrivately(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, path);
}

/** A server that is starting. */
interface Starting {
  readonly pid: number;
  readonly logFile: string;
  readonly host: string;
  readonly port: number;
  /** The authority of its certificate, when it encrypts. */
  readonly authority: string | undefined;
}

/**
 * A NATS server opens every connection with one line, `INFO {…}`, with the id that it has logged. While another one
 * answers on that port this waits: the server cannot listen there, and ends by itself.
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
 * Why a nats-server ended, from its log: one line that says what to do.
 *
 * @param log the lines it has logged since it was started
 * @returns undefined when nothing in the log looks like a reason
 */
function explainNatsLog(log: string[], port: number): string | undefined {
  const complaint = log.findLast((line) => /\[(FTL|ERR)\]|^nats-server: /.test(line));
  if (!complaint) return undefined;
  if (complaint.includes('address already in use')) {
    return `port ${port} is taken: stop what listens there or choose another port`;
  }
  return complaint.replace(/^.*\[(FTL|ERR)\] |^nats-server: /, '');
}
