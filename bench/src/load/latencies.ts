import { build, type Histogram } from 'hdr-histogram-js';
import type { LatencyMs } from './load.ts';

/** Latencies are kept in microseconds to three digits. */
const HISTOGRAM = {
  lowestDiscernibleValue: 1,
  highestTrackableValue: 60_000_000,
  numberOfSignificantValueDigits: 3,
} as const;

/** Latencies of any number of calls, in little memory. */
export class Latencies {
  readonly #histogram: Histogram = build({ ...HISTOGRAM });

  add(milliseconds: number): void {
    const microseconds = Math.max(1, Math.round(milliseconds * 1000));
    this.#histogram.recordValue(Math.min(microseconds, HISTOGRAM.highestTrackableValue));
  }

  get count(): number {
    return this.#histogram.totalCount;
  }

  get summary(): LatencyMs {
    const histogram = this.#histogram;
    const at = (percentile: number) => histogram.getValueAtPercentile(percentile) / 1000;
    return {
      mean: histogram.mean / 1000,
      p50: at(50),
      p99: at(99),
      p999: at(99.9),
      max: histogram.maxValue / 1000,
    };
  }
}
