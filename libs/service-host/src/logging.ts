import { type LoggerOptions, type Logger as PinoLogger, pino } from 'pino';

/** Writes one JSON line per event. */
export type Logger = PinoLogger;

/** What the line of every call says. */
export const ANSWERED = 'answered';

/** How long the line of a call waits for others to be written with it, in milliseconds, and how many bytes of them there are at most. */
const WAITS_MS = 50;
const WAITING_BYTES = 4_096;

/**
 * The lines of calls are written together: one by one, each of them would cost 30 µs. Whatever ends the process but SIGKILL lets
 * it write what waits. Anything else that is said is written at once, after what waited.
 */
const destination = pino.destination({
  sync: false,
  minLength: WAITING_BYTES,
  periodicFlush: WAITS_MS,
});

/** The log of a process. What is written about a call carries its request id and its trace id. */
export function createLogger(service: string, level: string): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: {
      logMethod(args, write) {
        write.apply(this, args);
        if ((args as unknown[]).at(-1) !== ANSWERED) destination.flushSync();
      },
    },
  };
  return pino(options, destination);
}

/** Errors whose text speaks of addresses and time limits only. */
const harmlessTexts = new Set(['MongoServerSelectionError', 'MongoNetworkError', 'MongoNetworkTimeoutError']);

/**
 * What a log may say of an error. Texts are left out unless known to be harmless: a driver quotes keys and
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
