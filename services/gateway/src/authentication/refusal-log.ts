import { traceIdOf } from '@action-platform/contracts/bus';
import type { Logger } from '@action-platform/service-host';
import type { TokenRefused } from './token-refused.ts';

/** The most lines of one reason in a minute: enough to find a mistake, and too few to fill a disk. */
const LINES = 10;
const WINDOW_MS = 60_000;

/** The request of a token. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly traceparent: string;
}

interface Count {
  readonly since: number;
  lines: number;
  /** Refusals since the last logged one. */
  unlogged: number;
}

/**
 * Logs refused tokens. Each reason has a limit of lines, so that a client that sends forged tokens without end neither fills the
 * log nor hides another reason. Reasons contain no input, so their number is small.
 */
export class RefusalLog {
  readonly #log: Logger;
  readonly #counts = new Map<string, Count>();

  constructor(log: Logger) {
    this.#log = log;
  }

  note({ code, reason }: TokenRefused, { requestId, traceparent }: RefusedRequest): void {
    const now = performance.now();
    let count = this.#counts.get(reason);
    if (count === undefined || now >= count.since + WINDOW_MS) {
      count = { since: now, lines: 0, unlogged: count?.unlogged ?? 0 };
      this.#counts.set(reason, count);
    }
    if (count.lines === LINES) {
      count.unlogged++;
      return;
    }
    const { unlogged } = count;
    count.lines++;
    count.unlogged = 0;
    const about = { code, request_id: requestId, trace_id: traceIdOf(traceparent) };
    this.#log.info(unlogged === 0 ? about : { ...about, unlogged }, `token refused: ${reason}`);
  }
}
