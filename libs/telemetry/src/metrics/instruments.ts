import { type Attributes, type Meter, metrics, type SpanContext } from '@opentelemetry/api';
import { type MetricOf, metricsDeclared } from './declared.ts';
import { Histogram } from './histogram.ts';

/** Who measures, as the specification calls it. */
export const SCOPE = '@action-platform/telemetry';

/** Those of this process. */
export const histograms: Histogram[] = [];
let isMeasuring = false;

/** Takes a measurement, with the place in a trace where it was made, if there is one. */
type Take = (value: number, attributes: Attributes, place?: SpanContext) => void;

/** From now on what is measured counts: somebody reads it. */
export function startMeasuring(): void {
  isMeasuring = true;
}

/** Bounds for what takes from a millisecond to the deadline of a request, in seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bounds for how many go together. */
const ITEMS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Takes how long something took, in milliseconds. */
export function durations(name: MetricOf<'duration'>): Take {
  const record = histogram(name, 's', SECONDS);
  return (milliseconds, attributes, place) => record(milliseconds / 1000, attributes, place);
}

/** Takes how many went together. */
export function sizes(name: MetricOf<'size'>): Take {
  return histogram(name, '{item}', ITEMS);
}

/** Takes how many there were more. */
export function counts(name: MetricOf<'count'>): (many: number, attributes?: Attributes) => void {
  const counter = meter().createCounter(name, metricsDeclared[name]);
  // What has not happened yet is told as 0: of a series that begins with 1 nobody sees that it grew.
  if (metricsDeclared[name].attributes.length === 0) counter.add(0);
  return (many, attributes) => counter.add(many, attributes);
}

/** Tells how many there have been whenever somebody asks. */
export function total(name: MetricOf<'count'>, read: () => number): void {
  meter()
    .createObservableCounter(name, metricsDeclared[name])
    .addCallback((result) => result.observe(read()));
}

/** Tells how many there are whenever somebody asks. */
export function gauge(name: MetricOf<'gauge'>, read: () => number, attributes?: Attributes): void {
  meter()
    .createObservableGauge(name, metricsDeclared[name])
    .addCallback((result) => result.observe(read(), attributes));
}

function histogram(name: MetricOf<'duration' | 'size'>, unit: string, bounds: readonly number[]): Take {
  const { description, attributes } = metricsDeclared[name];
  const made = new Histogram({ name, description, unit, attributes, bounds });
  histograms.push(made);
  return (value, of, place) => {
    if (isMeasuring) made.record(value, of, place);
  };
}

/** Asked for at each use: what is asked for before the SDK has started measures nothing. */
function meter(): Meter {
  return metrics.getMeter(SCOPE);
}
