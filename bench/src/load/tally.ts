import { createHistogram } from 'node:perf_hooks';
import type { Latencies, LoadResult } from './load.ts';
import type { SentRequest } from './send.ts';

const LONGEST_MICROSECONDS = 60_000_000;

/** Counts the outcomes of calls, and how long they took. */
export class Tally {
  readonly #ms = histogram();
  readonly #lateMs = histogram();
  readonly #others: Record<string, number> = {};
  readonly #outcomes = { attempts: 0, calls: 0, refused: 0, firstFailure: undefined as string | undefined };

  /**
   * Counts one call.
   *
   * @param ms its latency.
   * @param lateMs how much later than planned it was sent.
   */
  add({ status, hasRetryAfter, failure }: SentRequest, ms: number, lateMs: number): void {
    this.#outcomes.attempts++;
    record(this.#lateMs, lateMs);
    if (status === '200') {
      this.#outcomes.calls++;
      record(this.#ms, ms);
      return;
    }
    this.#outcomes.firstFailure ??= `${status} ${failure}`;
    if (status === '503' && hasRetryAfter) this.#outcomes.refused++;
    else this.#others[status] = (this.#others[status] ?? 0) + 1;
  }

  /** The result after this time, and this CPU time of the generator. */
  result(seconds: number, cpuSeconds: number): LoadResult {
    const latencies = { ms: latenciesOf(this.#ms), lateMs: latenciesOf(this.#lateMs) };
    return { seconds, cpuSeconds, ...this.#outcomes, others: this.#others, ...latencies };
  }
}

type Histogram = ReturnType<typeof createHistogram>;

/** In microseconds, to three digits. */
function histogram(): Histogram {
  return createHistogram({ lowest: 1, highest: LONGEST_MICROSECONDS, figures: 3 });
}

function record(into: Histogram, milliseconds: number): void {
  into.record(Math.min(LONGEST_MICROSECONDS, Math.max(1, Math.round(milliseconds * 1000))));
}

function latenciesOf(from: Histogram): Latencies {
  const at = (percentile: number) => from.percentile(percentile) / 1000;
  return { p50: at(50), p99: at(99), max: from.max / 1000 };
}
