import { type Run, startWorker } from '../process/worker.ts';

/** One kind of request of a load. */
export interface Requests {
  /** Its weight among the other kinds; 1 by default. */
  readonly weight?: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The bodies to choose from at random; each `$unique` becomes a text of its own. */
  readonly bodies: readonly string[];
  /** The token of each body in their order, or one for all: session tokens or grant secrets. */
  readonly tokens: readonly string[];
}

/** Requests to a system over HTTP/1.1, on connections that are open before the load begins. */
export interface Load {
  readonly origin: string;
  readonly requests: readonly Requests[];
  readonly seconds: number;
  /** Without `perSecond` a closed loop: each connection sends its next request when it has the last answer. */
  readonly connections: number;
  /**
   * With `perSecond` an open loop: calls begin at evenly planned times, whether or not earlier ones were answered. Latency counts from the
   * planned time, so it includes a wait for a connection.
   */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly attempts: number;
  /** Answered with 200. */
  readonly calls: number;
  /** Answered with 503 and Retry-After. */
  readonly refused: number;
  /** The counts of other outcomes, by status or by the code of the failure. */
  readonly others: Readonly<Record<string, number>>;
  /** The first answer that was none of 200, as text. */
  readonly firstFailure: string | undefined;
  /** Latencies of the calls that were answered with 200. */
  readonly ms: Latencies;
  /** How much later than planned the calls of an open loop were sent: by the generator, or for want of a connection. */
  readonly lateMs: Latencies;
  /** CPU time of the generator. Near one second for each second, the load shows the generator and not the target. */
  readonly cpuSeconds: number;
}

export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Sends one load after another. */
export type LoadGenerator = Run<Load, LoadResult>;

/** Starts a generator in a thread of its own, which is equally warm for each of its loads. */
export function startLoadGenerator(stops: AsyncDisposableStack): LoadGenerator {
  return startWorker(new URL('generator.ts', import.meta.url), stops);
}
