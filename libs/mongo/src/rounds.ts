import { setTimeout as pause } from 'node:timers/promises';
import { failureLevel } from '@action-platform/contracts/errors';

interface RoundsOptions {
  /** The pause between two rounds, in milliseconds. */
  readonly pauseMs: number;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** The log line of a round that failed. */
  readonly failure: string;
  /** Whether the first round begins after a pause. */
  readonly isDelayed?: boolean;
}

/** Work in the background of a process. */
export interface Rounds {
  /** Begins no further step; resolves when the step under way is done. */
  stop(): Promise<void>;
}

/** Runs rounds of work, one after the other, until it is stopped. A round that fails is a log line. */
export function startRounds(
  round: (signal: AbortSignal) => Promise<void>,
  { pauseMs, log, failure, isDelayed = false }: RoundsOptions,
): Rounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = () => pause(pauseMs, undefined, { signal, ref: false }).catch(() => {});
  const run = async () => {
    if (isDelayed) await wait();
    while (!signal.aborted) {
      await round(signal).catch((err: unknown) => {
        if (!signal.aborted) log[failureLevel(err)]({ err }, failure);
      });
      await wait();
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
