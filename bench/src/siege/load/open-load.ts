import type { LatencyMs, RequestTemplate } from '../../load/load.ts';

/**
 * An open loop: calls begin at evenly planned times, whether or not earlier ones were answered. Latency counts from the planned
 * time, so it includes a wait for a connection.
 */
export interface OpenLoad {
  readonly origin: string;
  readonly requests: readonly RequestTemplate[];
  /** The callers in turn: session tokens. */
  readonly tokens: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** The most connections; a call waits while all of them are busy. */
  readonly connections: number;
  /** Whether to open all of them, with a call on each, and keep them for the generator's next load. */
  readonly keepsConnections?: boolean;
  /** Whether the result lists each call. */
  readonly keepsCalls?: boolean;
}

/** One call of an open load. */
export interface OpenCall {
  /** Its planned time, in milliseconds since the load began. */
  readonly at: number;
  readonly ms: number;
  readonly isAccepted: boolean;
}

/** The result of an open load. */
export interface OpenResult {
  readonly attempts: number;
  /** Answered with 200. */
  readonly accepted: number;
  /** Answered with 503 and Retry-After. */
  readonly refused: number;
  /** The counts of other outcomes, by status or by the code of the failure. */
  readonly others: Readonly<Record<string, number>>;
  /** The count of each value of Retry-After. */
  readonly retryAfter: Readonly<Record<string, number>>;
  readonly acceptedMs: LatencyMs;
  /** The same, counted from when a call was sent. */
  readonly acceptedOnceSentMs: LatencyMs;
  /** The same, by the second of the planned time. */
  readonly acceptedMsBySecond: readonly LatencyMs[];
  readonly refusedMs: LatencyMs;
  /** How much later than intended calls were sent: by the generator, or for want of a connection. */
  readonly latenessMs: LatencyMs;
  /** CPU seconds per second of the generator. */
  readonly generatorCpu: number;
  /** The most calls that waited for a connection. */
  readonly mostWaiting: number;
  readonly calls: readonly OpenCall[];
}
