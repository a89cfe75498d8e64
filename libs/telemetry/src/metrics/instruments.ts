import { type Attributes, type Meter, metrics } from '@opentelemetry/api';
import { type MetricOf, metricsDeclared } from './declared.ts';

/** Bucket bounds from a millisecond to the deadline of a request, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bucket bounds for the items of a batch. */
const ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** The instrumentation scope of every metric. */
export const SCOPE = '@action-platform/telemetry';

/** Records a measurement. */
type Record = (value: number, attributes: Attributes) => void;

/** A histogram of durations, which takes milliseconds and exports seconds. */
export function durations(name: MetricOf<'duration'>): Record {
  const record = histogram(name, SECONDS);
  return (milliseconds, attributes) => record(milliseconds / 1000, attributes);
}

/** A histogram of how many items there are in a batch. */
export function sizes(name: MetricOf<'size'>): Record {
  return histogram(name, ITEMS);
}

/** A counter. A counter without attributes begins with an exported 0: `increase` does not see the step of a series that begins with 1. */
export function counts(name: MetricOf<'count'>): (many: number, attributes?: Attributes) => void {
  const counter = meter().createCounter(name, metricsDeclared[name]);
  if (metricsDeclared[name].attributes.length === 0) counter.add(0);
  return (many, attributes) => counter.add(many, attributes);
}

/** A counter whose total is read at each collection. */
export function total(name: MetricOf<'count'>, read: () => number): void {
  meter()
    .createObservableCounter(name, metricsDeclared[name])
    .addCallback((result) => result.observe(read()));
}

/** A gauge that is read at each collection. */
export function gauge(name: MetricOf<'gauge'>, read: () => number, attributes?: Attributes): void {
  meter()
    .createObservableGauge(name, metricsDeclared[name])
    .addCallback((result) => result.observe(read(), attributes));
}

/** Values of a gauge, each with its attributes. */
type Readings = () => readonly { readonly value: number; readonly attributes: Attributes }[];

/** The gauges of `gauges`, which `changingGauges` collects. */
export const changing = new Map<MetricOf<'gauge'>, Readings>();

/** A gauge whose attributes may differ at each collection. */
export function gauges(name: MetricOf<'gauge'>, read: Readings): void {
  changing.set(name, read);
}

function histogram(name: MetricOf<'duration' | 'size'>, explicitBucketBoundaries: number[]): Record {
  const { description, unit } = metricsDeclared[name];
  const made = meter().createHistogram(name, { description, unit, advice: { explicitBucketBoundaries } });
  return (value, attributes) => made.record(value, attributes);
}

/** Read at each use: before the SDK has started the API's meter records nothing. */
function meter(): Meter {
  return metrics.getMeter(SCOPE);
}
