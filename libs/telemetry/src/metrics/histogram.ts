import type { Attributes, SpanContext } from '@opentelemetry/api';
import { LastExported } from './exemplar.ts';

/** How many series there are of one metric; what is measured beyond is put together, as the SDK does. */
const MOST_SERIES = 2_000;
const BEYOND: Attributes = { 'otel.metric.overflow': true };

/** What was measured with the same attributes. */
interface Series {
  readonly attributes: Attributes;
  /** How many measurements there are in each bucket. */
  readonly counts: number[];
  /** An example for each bucket. */
  readonly exemplars: readonly LastExported[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** What a histogram is of. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  /** The names of the attributes that tell its series apart. */
  readonly attributes: readonly string[];
  /** The upper bounds of its buckets, which belong to them; one more takes what is above. */
  readonly bounds: readonly number[];
}

/**
 * A histogram with explicit buckets, cumulative from the beginning. There are several measurements for each request, and for each the SDK
 * sorts the attributes and writes them as JSON; here their names are known, and only their values are put together.
 */
export class Histogram {
  readonly described: Described;
  /** In milliseconds since the epoch. */
  readonly begunAt = Date.now();
  readonly #series = new Map<string, Series>();

  constructor(described: Described) {
    this.described = described;
  }

  /** What was measured so far. */
  get series(): readonly Readonly<Series>[] {
    return [...this.#series.values()];
  }

  /** Takes a measurement, made at a place in a trace if there is one. */
  record(value: number, attributes: Attributes, place?: SpanContext): void {
    const { bounds } = this.described;
    const series = this.#seriesOf(attributes);
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    series.counts[bucket]!++;
    series.count++;
    series.sum += value;
    if (value < series.min) series.min = value;
    if (value > series.max) series.max = value;
    if (place !== undefined) series.exemplars[bucket]!.note(place, value);
  }

  #seriesOf(attributes: Attributes): Series {
    let values = '';
    for (const name of this.described.attributes) values += `${attributes[name] ?? ''}\n`;
    const known = this.#series.get(values);
    if (known !== undefined) return known;
    if (this.#series.size < MOST_SERIES) return this.#begin(values, attributes);
    return this.#series.get('beyond') ?? this.#begin('beyond', BEYOND);
  }

  #begin(values: string, attributes: Attributes): Series {
    const buckets = this.described.bounds.length + 1;
    const series = {
      attributes: { ...attributes },
      counts: new Array<number>(buckets).fill(0),
      exemplars: Array.from({ length: buckets }, () => new LastExported()),
      count: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    this.#series.set(values, series);
    return series;
  }
}
