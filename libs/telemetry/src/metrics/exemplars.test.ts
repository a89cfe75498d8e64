import { expect, test } from '@jest/globals';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { durations, startMeasuring } from './instruments.ts';
import { toOpenMetrics } from './open-metrics.ts';
import { histogramProducer } from './producer.ts';

/** The traces that were held and exported after all. */
const kept = new Set<string>();

/** Reads when it is asked to. */
class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}
const reader = new Reader({ metricProducers: [histogramProducer((traceId) => kept.has(traceId))] });
const meter = new MeterProvider({ readers: [reader] }).getMeter('test');
const answering = durations('call.duration');
startMeasuring();

function placeIn(digit: string, traceFlags = TraceFlags.NONE): SpanContext {
  return { traceId: digit.repeat(32), spanId: digit.repeat(16), traceFlags };
}

async function openMetrics(): Promise<string> {
  const { resourceMetrics } = await reader.collect();
  return toOpenMetrics(new PrometheusSerializer().serialize(resourceMetrics), resourceMetrics);
}

/** The traces that are told of a call, with the bounds of their buckets and what was measured. */
async function exemplarsOf(call: string): Promise<unknown[]> {
  const line = new RegExp(
    `^call_duration_bucket\\{call_name="${call}".*le="(.*?)"\\} \\d+ # \\{trace_id="(\\w)\\2{31}"\\} (\\S+) \\d+(\\.\\d+)?$`,
    'gm',
  );
  return [...(await openMetrics()).matchAll(line)].map(([, bound, trace, value]) => [bound, trace, value]);
}

test('each bucket has the last trace that was exported as it went', async () => {
  const call = { 'call.name': 'exported' };
  answering(0.5, call, placeIn('1', TraceFlags.SAMPLED));
  answering(0.75, call, placeIn('2', TraceFlags.SAMPLED));
  answering(0.25, call, placeIn('3'));
  answering(20_000, call, placeIn('4', TraceFlags.SAMPLED));
  answering(20_000, call);
  expect(await exemplarsOf('exported')).toEqual([
    ['0.001', '2', '0.00075'],
    ['+Inf', '4', '20'],
  ]);
});

test('and the last that was held, once it is kept', async () => {
  const call = { 'call.name': 'held' };
  answering(3_000, call, placeIn('5', TraceFlags.SAMPLED));
  answering(4_000, call, placeIn('6'));
  expect(await exemplarsOf('held')).toEqual([['5', '5', '3']]);
  kept.add(placeIn('6').traceId);
  expect(await exemplarsOf('held')).toEqual([['5', '6', '4']]);
  kept.clear();
  expect(await exemplarsOf('held')).toEqual([['5', '6', '4']]);
});

test('is OpenMetrics: counters are named without what their samples end with, units are left out, the end is marked', async () => {
  meter.createCounter('some.repairs', { unit: '{repair}' }).add(2);
  meter.createHistogram('of.the.sdk').record(3);
  const text = await openMetrics();
  expect(text).toMatch(/^# TYPE some_repairs counter\nsome_repairs_total\{.*\} 2$/m);
  expect(text).toMatch(/^of_the_sdk_bucket\{.*le="5"\} 1$/m);
  expect(text).not.toContain('# UNIT');
  expect(text).not.toContain('\n\n');
  expect(text).toMatch(/[^\n]\n# EOF\n$/);
});
