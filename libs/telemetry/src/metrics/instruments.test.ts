import { afterAll, expect, test } from '@jest/globals';
import { metrics } from '@opentelemetry/api';
import { type HistogramMetricData, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { changingGauges } from './changing-gauges.ts';
import { counts, durations, gauges, sizes } from './instruments.ts';

/** A reader that collects on request. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

afterAll(() => metrics.disable());

test('histograms have the declared description and bounds, durations are exported in seconds, counters begin with 0', async () => {
  durations('call.duration')(1, { 'call.name': 'before the SDK has started' });
  const reader = new Reader();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  durations('call.duration')(30, { 'call.name': 'a' });
  sizes('batch.items')(8, { 'batch.name': 'b' });
  counts('bus.reconnects');

  const { resourceMetrics } = await reader.collect();
  const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  const found = Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [
      descriptor.name,
      { ...descriptor, points: dataPoints.map(({ attributes, value }) => ({ attributes, value })) },
    ]),
  );
  const bounds = (metric: HistogramMetricData['descriptor'] & { points: { value: unknown }[] }) =>
    (metric.points[0]!.value as HistogramMetricData['dataPoints'][number]['value']).buckets.boundaries;
  expect(found['call.duration']).toMatchObject({
    description: 'From the arrival of a call at a service until its answer can begin.',
    unit: 's',
    points: [{ attributes: { 'call.name': 'a' }, value: { count: 1, sum: 0.03 } }],
  });
  expect(bounds(found['call.duration'] as never)).toEqual([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]);
  expect(found['batch.items']).toMatchObject({ unit: '{item}', points: [{ value: { count: 1, sum: 8 } }] });
  expect(found['bus.reconnects']).toMatchObject({ points: [{ value: 0 }] });
});

test('a gauge whose attributes change exports those of the last collection alone', async () => {
  let workspaces = ['ws_a'];
  const reader = new Reader({ metricProducers: [changingGauges] });
  metrics.disable();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  gauges('workspace.calls', () => workspaces.map((id) => ({ value: 1, attributes: { 'workspace.id': id } })));
  const collected = async () => {
    const { resourceMetrics } = await reader.collect();
    const all = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
    const found = all.find(({ descriptor }) => descriptor.name === 'workspace.calls');
    return found?.dataPoints.map(({ attributes }) => attributes['workspace.id']);
  };
  expect(await collected()).toEqual(['ws_a']);
  workspaces = ['ws_b'];
  expect(await collected()).toEqual(['ws_b']);
});
