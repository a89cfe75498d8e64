import { createHistogram } from 'node:perf_hooks';
import type { LatencyMs } from './load.ts';

const LONGEST_MICROSECONDS = 60_000_000;

/** A histogram of latencies in microseconds, to three digits. */
export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: LONGEST_MICROSECONDS, figures: 3 });

  add(milliseconds: number): void {
    const microseconds = Math.max(1, Math.round(milliseconds * 1000));
    this.#histogram.record(Math.min(microseconds, LONGEST_MICROSECONDS));
  }

  get count(): number {
    return this.#histogram.count;
  }

  get summary(): LatencyMs {
    const histogram = this.#histogram;
    const at = (percentile: number) => histogram.percentile(percentile) / 1000;
    return {
      mean: this.count === 0 ? 0 : histogram.mean / 1000,
      p50: at(50),
      p99: at(99),
      p999: at(99.9),
      max: histogram.max / 1000,
    };
  }
}
