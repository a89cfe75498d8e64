import type { LatencyMs, RequestTemplate } from '../../load/load.ts';

/**
 * An open loop: calls begin at times that were set before, evenly, whatever becomes of those before them. Latency
 * counts from when a call was to begin, so that one that had to wait for its turn is not told as quick.
 */
export interface OpenLoad {
  readonly origin: string;
  readonly requests: readonly RequestTemplate[];
  /** Who calls, in turn: session tokens. */
  readonly tokens: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** How many connections there may be; a call waits for one when all have one under way. */
  readonly connections: number;
  /** Whether all of them are opened, a call for each, and kept for the next load of the same generator. */
  readonly keepsConnections?: boolean;
  /** Whether to tell of each call. */
  readonly keepsCalls?: boolean;
}

/** One call of an open load. */
export interface OpenCall {
  /** When it was to begin, in milliseconds since the load began. */
  readonly at: number;
  readonly ms: number;
  readonly isAccepted: boolean;
}

/** What came of an open load. */
export interface OpenResult {
  readonly attempts: number;
  /** Answered with 200. */
  readonly accepted: number;
  /** Answered with 503 and Retry-After. */
  readonly refused: number;
  /** What else happened, by status or by the code of the failure, and how often. */
  readonly others: Readonly<Record<string, number>>;
  /** The values of Retry-After and how often each came. */
  readonly retryAfter: Readonly<Record<string, number>>;
  readonly acceptedMs: LatencyMs;
  /** The same, counted from when a call was really sent. */
  readonly acceptedOnceSentMs: LatencyMs;
  /** Of the calls that were to begin in each second. */
  readonly acceptedMsBySecond: readonly LatencyMs[];
  readonly refusedMs: LatencyMs;
  /** How much later than intended calls were sent: by the generator, or for want of a connection. */
  readonly latenessMs: LatencyMs;
  /** CPU seconds per second of the generator. */
  readonly generatorCpu: number;
  /** How many calls waited for a connection at most. */
  readonly mostWaiting: number;
  readonly calls: readonly OpenCall[];
}
