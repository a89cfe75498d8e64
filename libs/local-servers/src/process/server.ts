import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServerLog, type ServerLog, tiedToParent } from './child.ts';

/** The end of a process. */
export interface Ending {
  /** Exit code, or null when a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it, if one did. */
  readonly signal: NodeJS.Signals | null;
  /** For people: the cause from its log, or else just `SIGKILL` or `exit code 0`. */
  readonly reason: string;
}

/** A running process, which ends with this one at the latest. */
export interface RunningProcess {
  readonly pid: number;
  /**
   * Resolves when the process has ended, by `stop` or by itself. The caller may start it again on the same data and port.
   */
  readonly exited: Promise<Ending>;
  /** Shuts it down and waits for its end; kills it only after a long wait. May be repeated. */
  stop(): Promise<void>;
}

/** A running server. */
export interface LocalServer extends RunningProcess {
  readonly url: string;
  readonly port: number;
}

/** The common options of all servers. */
export interface LocalServerOptions {
  /** Its address; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** Its port; a free one of 127.0.0.1 by default. */
  readonly port?: number | undefined;
  /** The command that executes the program, such as one that enters another network. */
  readonly launcher?: readonly string[] | undefined;
  /** The server's own log is appended to this file. */
  readonly logFile: string;
  /** Absolute path of the program; by default found on this machine, or fetched. */
  readonly program?: string | undefined;
  /** Receives a line about each slow step, such as a download. */
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** A server could not be started. The message is one line that says why, with the log. */
class LocalServerError extends Error {}

/** A program to run as a server, and how to observe its start and its end. */
export interface ServerProgram {
  /** Its name for people. */
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly launcher?: readonly string[] | undefined;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** The line of its log that says that it takes connections; without it the process counts as ready at once. */
  readonly readyLine?: RegExp;
  /** An address that answers 2xx once it is ready. */
  readonly readyUrl?: string | undefined;
  /** Prepares it then, until it serves; gives up when the signal aborts. */
  prepare?(signal: AbortSignal): Promise<void>;
  /** The cause of its end in one line, from the lines of its log; undefined without a known cause. */
  explain(log: string[]): string | undefined;
}

const readyWithinMs = 120_000;
const stopWithinMs = 60_000;
const pollMs = 20;

/**
 * Starts a server as a child process and waits until it serves. The server runs in a session of its own: a terminal's Ctrl-C does not reach
 * it, and the caller decides the order of the shutdown.
 *
 * @throws LocalServerError when the server ends before it serves, or does not serve within two minutes
 */
export async function startServer(server: ServerProgram): Promise<RunningProcess> {
  const { title, logFile, cwd, env = process.env } = server;
  const log = await openServerLog(logFile);
  const [first = server.program, ...others] = [...(server.launcher ?? []), server.program, ...server.args];
  const { command, args } = tiedToParent(first, others);
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    cwd,
    env,
  });
  const exited = endOf(child, server, log);
  await log.close();

  const stop = async () => {
    child.kill('SIGTERM');
    const graceTimer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await exited;
    clearTimeout(graceTimer);
  };

  const pid = child.pid ?? 0;
  try {
    await readyUnlessEnded(server, log, exited);
  } catch (error) {
    await stop();
    if (!(error instanceof LocalServerError)) throw error;
    throw new LocalServerError(`${title} did not start: ${error.message} (log: ${logFile})`);
  }
  return { pid, exited, stop };
}

async function readyUnlessEnded(
  server: ServerProgram,
  log: ServerLog,
  exited: Promise<Ending>,
): Promise<void> {
  const settled = new AbortController();
  const late = AbortSignal.timeout(readyWithinMs);
  const ended = exited.then(({ reason }) => {
    throw new LocalServerError(reason);
  });
  const tooLate = once(late, 'abort', { signal: settled.signal }).then(() => {
    throw new LocalServerError(`it is not ready after ${readyWithinMs / 1000} seconds`);
  });
  try {
    await Promise.race([ready(server, log, AbortSignal.any([late, settled.signal])), ended, tooLate]);
  } finally {
    settled.abort();
  }
}

async function ready(server: ServerProgram, log: ServerLog, signal: AbortSignal): Promise<void> {
  const { readyLine, readyUrl } = server;
  const isReady = async () =>
    (readyLine === undefined || (await log.tail()).some((line) => readyLine.test(line))) &&
    (readyUrl === undefined || (await fetch(readyUrl, { signal }).catch(() => undefined))?.ok === true);
  while (!(await isReady())) await sleep(pollMs, undefined, { signal });
  await server.prepare?.(signal);
}

/** A program that cannot be executed counts as one that ended at once. */
async function endOf(child: ChildProcess, { explain }: ServerProgram, log: ServerLog): Promise<Ending> {
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  child.once('exit', (code, signal) => resolve({ code, signal, reason: signal ?? `exit code ${code}` }));
  child.once('error', ({ message }) => resolve({ code: null, signal: null, reason: message }));
  const exit = await ended;
  if (exit.signal === 'SIGKILL' || exit.code === 0) return exit;
  return { ...exit, reason: explain(await log.tail()) ?? exit.reason };
}
