import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';
import { LogLines } from './log-lines.ts';
import type { RecentLines } from './recent-lines.ts';

/** Writes one JSON line per event. */
export type Logger = PinoLogger;

/** A process that ends writes what waits, unless a signal ends it that it does not handle. */
const lines = new LogLines(standardOutput());
process.on('exit', () => lines.flush());

/** The last lines of the log of this process. */
export const recentLines: RecentLines = lines.recent;

/** The log of a process. Lines about a call have its request id and its trace id. */
export function createLogger(service: string, level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, lines);
}

/** Loses the lines that standard output does not take, as on a full disk. pino's stream would throw, and keep every later line in memory. */
function standardOutput(): DestinationStream {
  const open = () =>
    pino.destination({ sync: true }).once('error', () => {
      stream = open();
    });
  let stream = open();
  return { write: (text) => stream.write(text) };
}

/** Errors whose text names addresses and time limits only. */
const harmlessTexts = new Set(['MongoServerSelectionError', 'MongoNetworkError', 'MongoNetworkTimeoutError']);

/**
 * The part of an error that a log may hold. Texts are left out unless known to be harmless: a driver quotes keys and
 * a parser quotes input in theirs.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    message: harmlessTexts.has(error.name) ? error.message : undefined,
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
  };
}
