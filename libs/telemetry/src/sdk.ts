import type { Environment } from '@action-platform/contracts';
import { context, type ProxyTracerProvider, trace } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOnSampler, BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { type Exporters, spanExporters } from './exporters.ts';
import { HeadSampler } from './head-sampler.ts';
import { Hindsight } from './hindsight/hindsight.ts';
import { HoldingTracerProvider } from './hindsight/holding-tracer.ts';
import { LONGEST_TEXT } from './hindsight/readable-span.ts';
import { startMeasuring, total } from './metrics/instruments.ts';
import { metricReaders as makeReaders } from './metrics/readers.ts';
import { followProblems } from './problems.ts';
import { resourceOf } from './resource.ts';
import type { Telemetry } from './running.ts';
import type { TelemetrySettings } from './settings.ts';
import { startTracing } from './trace-context.ts';

/** How many links a span may have: as many as there are requests in a large batch. */
const MOST_LINKS = 1_024;

/** Starts the SDK with these exporters. Throws WrongConfiguration when there is no such exporter. */
export async function startSdk(
  environment: NodeJS.ProcessEnv,
  settings: TelemetrySettings,
  { traces, metrics }: Exporters,
): Promise<Telemetry> {
  followProblems();
  const exporters = await spanExporters(traces, settings, environment);
  const batches = exporters.map((exporter) => new BatchSpanProcessor({ exporter, ...batching(environment) }));
  environment.OTEL_LOGS_EXPORTER ||= 'none';
  // The standard variable lets the SDK decide by itself, and there is no hindsight.
  const isHolding = exporters.length > 0 && !environment.OTEL_TRACES_SAMPLER;
  const { TRACES_RING_BYTES: ringBytes, TRACES_SLOW_MS: slowMs } = settings;
  const exported = (span: ReadableSpan) => {
    for (const batch of batches) batch.onEnd(span);
  };
  const hindsight = isHolding ? new Hindsight({ ringBytes, slowMs }, exported) : undefined;
  const isKept = (traceId: string) => hindsight?.keeps(traceId) === true;
  const metricReaders = await makeReaders(metrics, settings, environment, isKept);
  const sdk = new NodeSDK({
    resource: resourceOf(),
    metricReaders,
    ...(isHolding && { sampler: new AlwaysOnSampler() }),
    spanProcessors: batches,
    spanLimits: { linkCountLimit: MOST_LINKS, attributeValueLengthLimit: LONGEST_TEXT },
    // The place in a trace goes from process to process with the headers of the bus.
    textMapPropagator: null,
    // It measures, nothing else.
    instrumentations: metrics.length === 0 ? [] : [new RuntimeNodeInstrumentation()],
  });
  if (metrics.length > 0) startMeasuring();
  sdk.start();
  // Without spans there is nothing to hand on, between processes or within one.
  if (exporters.length > 0) startTracing();
  else context.disable();
  if (hindsight !== undefined) hold(hindsight, settings);
  const stop = async () => {
    hindsight?.flush();
    await sdk.shutdown().catch(() => {});
  };
  return { isOn: true, hindsight, stop };
}

/** Puts hindsight before the SDK: what is exported goes on to that, many spans at a time. */
function hold(hindsight: Hindsight, settings: TelemetrySettings): void {
  const { TRACES_ALL_PER_SECOND: allUpTo, TRACES_SHARE: share } = settings;
  const sampler = new HeadSampler({ allUpTo, share });
  // Who asked for a tracer before has one that goes through this provider, too.
  const provider = trace.getTracerProvider() as ProxyTracerProvider;
  provider.setDelegate(new HoldingTracerProvider(provider.getDelegate(), { sampler, hindsight }));
  total('telemetry.traces.kept', () => hindsight.counts.kept);
  total('telemetry.traces.dropped', () => hindsight.counts.dropped);
}

/** How spans are gathered before they are sent: the standard `OTEL_BSP_*`, with a queue that holds what fails at once. */
function batching({
  OTEL_BSP_SCHEDULE_DELAY,
  OTEL_BSP_MAX_QUEUE_SIZE,
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
  OTEL_BSP_EXPORT_TIMEOUT,
}: Environment) {
  return {
    scheduledDelayMillis: Number(OTEL_BSP_SCHEDULE_DELAY || 1_000),
    maxQueueSize: Number(OTEL_BSP_MAX_QUEUE_SIZE || 16_384),
    maxExportBatchSize: Number(OTEL_BSP_MAX_EXPORT_BATCH_SIZE || 512),
    exportTimeoutMillis: Number(OTEL_BSP_EXPORT_TIMEOUT || 10_000),
  };
}
