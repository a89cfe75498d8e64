import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
}

/**
 * Starts a nats-server on 127.0.0.1.
 *
 * @returns the server once it takes connections
 * @throws LocalServerError
 */
export async function startNatsServer(options: NatsServerOptions): Promise<LocalServer> {
  const { config, configFile, logFile } = options;
  const program = options.program ?? (await findNatsServer({ onProgress: options.onProgress }));
  const port = options.port ?? (await freePort());
  const name = `local-${randomUUID()}`;
  await writePrivately(configFile, config);
  return await startServer({
    title: 'nats-server',
    program,
    args: ['--config', configFile, '--addr', '127.0.0.1', '--port', String(port), '--name', name],
    url: `nats://127.0.0.1:${port}`,
    port,
    logFile,
    ready: (_pid, signal) => isGreetedBy(name, port, signal),
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

/**
 * A NATS server opens every connection with one line, `INFO {…}`, which names it. While another one answers on that port
 * this waits: the server cannot listen there, and ends by itself.
 */
async function isGreetedBy(name: string, port: number, signal: AbortSignal): Promise<void> {
  while (!(await greeting(port, signal)).includes(name)) await sleep(askAgainAfterMs, undefined, { signal });
}

async function greeting(port: number, signal: AbortSignal): Promise<string> {
  const socket = await connectWhenListening(port, signal);
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
