import { expect, test } from '@jest/globals';
import type { HistogramMetricData } from '@opentelemetry/sdk-metrics';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { Histogram } from './histogram.ts';
import { durations, sizes, startMeasuring } from './instruments.ts';
import { histogramProducer } from './producer.ts';

/** Reads when it is asked to. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

const answering = durations('call.duration');
const going = sizes('batch.items');

test('what is measured before anybody reads is not counted; then histograms are as the SDK makes them', async () => {
  const reader = new Reader({ metricProducers: [histogramProducer(() => false)] });
  const meter = new MeterProvider({ readers: [reader] }).getMeter('@action-platform/telemetry');
  const boundaries = {
    advice: {
      explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    },
  };
  const description = 'From the arrival of a call at a service until its answer can begin.';
  const theirs = meter.createHistogram('call.duration', { description, unit: 's', ...boundaries });

  answering(3, { 'call.name': 'too early' });
  startMeasuring();
  for (let i = 0; i < 1_000; i++) {
    const milliseconds = i % 10 === 0 ? 10 : Math.random() ** 8 * 20_000;
    const attributes = i % 7 === 0 ? { 'call.name': 'a', 'error.type': 'b' } : { 'call.name': `c${i % 3}` };
    answering(milliseconds, attributes);
    theirs.record(milliseconds / 1_000, attributes);
  }
  going(8, { 'batch.name': 'd' });

  const { resourceMetrics, errors } = await reader.collect();
  expect(errors).toEqual([]);
  const [fromSdk = [], own = []] = resourceMetrics.scopeMetrics.map(({ metrics }) => metrics);
  const [sdks, ours, items] = [...fromSdk, ...own] as HistogramMetricData[];
  expect(resourceMetrics.scopeMetrics[1]!.scope).toMatchObject({ name: '@action-platform/telemetry' });
  const pointsOf = ({ dataPoints }: HistogramMetricData) =>
    dataPoints.map(({ attributes, value: { buckets, count, sum, min, max } }) => ({
      attributes,
      buckets,
      count,
      sum,
      min,
      max,
    }));
  expect(pointsOf(ours!)).toEqual(pointsOf(sdks!));
  expect(ours!.descriptor).toMatchObject({ name: 'call.duration', description, unit: 's' });
  expect(ours!.aggregationTemporality).toBe(sdks!.aggregationTemporality);
  expect(pointsOf(items!)).toMatchObject([{ attributes: { 'batch.name': 'd' }, count: 1, sum: 8 }]);
});

test('however many series are asked for, there is an end to them', () => {
  const histogram = new Histogram({ name: 'x', description: '', unit: 's', attributes: ['a'], bounds: [1] });
  for (let i = 0; i < 5_000; i++) histogram.record(1, { a: i });
  expect(histogram.series).toHaveLength(2_001);
  const beyond = { attributes: { 'otel.metric.overflow': true }, counts: [3_000, 0], count: 3_000 };
  expect(histogram.series.at(-1)).toMatchObject(beyond);
});
