import type { Environment } from '@action-platform/contracts';
import { Replay, RetroactiveTracerProvider } from '@action-platform/retroactive-sampling';
import { context, type ProxyTracerProvider, trace } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOnSampler, BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { type Exporters, spanExporters } from './exporters.ts';
import { idGenerator } from './ids.ts';
import { KEEP_TRACE } from './keep-trace.ts';
import { total } from './metrics/instruments.ts';
import { followProblems } from './problems.ts';
import { resourceOf } from './resource.ts';
import type { Telemetry } from './running.ts';
import type { TelemetrySettings } from './settings.ts';
import { startTracing } from './trace-context.ts';

/** How many links a span may have: as many as there are requests in a large batch. */
const MOST_LINKS = 1_024;
/** The longest text of an attribute, in characters; longer ones are cut. */
const LONGEST_TEXT = 1_024;

/** Starts the SDK with these exporters. Throws WrongConfiguration for an unknown protocol. */
export async function startSdk(
  environment: NodeJS.ProcessEnv,
  settings: TelemetrySettings,
  { traces, metrics }: Exporters,
): Promise<Telemetry> {
  followProblems();
  const exporters = await spanExporters(traces, settings, environment);
  const processors = exporters.map(
    (exporter) => new BatchSpanProcessor({ exporter, ...batching(environment) }),
  );
  configureMetrics(environment, settings, metrics);
  environment.OTEL_LOGS_EXPORTER ||= 'none';
  // The standard variable leaves sampling to the SDK, without retroactive sampling.
  const isRetroactive = exporters.length > 0 && !environment.OTEL_TRACES_SAMPLER;
  const replay = new Replay();
  const sdk = new NodeSDK({
    resource: resourceOf(),
    ...(isRetroactive ? { sampler: new AlwaysOnSampler(), idGenerator: replay } : { idGenerator }),
    spanProcessors: processors,
    spanLimits: { linkCountLimit: MOST_LINKS, attributeValueLengthLimit: LONGEST_TEXT },
    // The headers of the bus carry the span context from process to process.
    textMapPropagator: null,
    // It measures and makes no spans.
    instrumentations: metrics.length === 0 ? [] : [new RuntimeNodeInstrumentation()],
  });
  sdk.start();
  // Without spans no context needs to be propagated, between processes or within one.
  if (exporters.length > 0) startTracing();
  else context.disable();
  const retroactive = isRetroactive ? sampleRetroactively(replay, settings) : undefined;
  const stop = async () => {
    retroactive?.flush();
    await sdk.shutdown().catch(() => {});
  };
  return { isOn: true, retroactive, stop };
}

/** Puts the retroactive tracer provider before that of the SDK; tracers from before this call go through it too. */
function sampleRetroactively(
  replay: Replay,
  { TRACES_ALL_PER_SECOND, TRACES_SHARE, TRACES_RING_BYTES, TRACES_SLOW_MS }: TelemetrySettings,
): RetroactiveTracerProvider {
  const proxy = trace.getTracerProvider() as ProxyTracerProvider;
  const retroactive = new RetroactiveTracerProvider(proxy.getDelegate(), {
    allPerSecond: TRACES_ALL_PER_SECOND,
    share: TRACES_SHARE,
    slowMs: TRACES_SLOW_MS,
    ringBytes: TRACES_RING_BYTES,
    keepAttribute: KEEP_TRACE,
    idGenerator,
    replay,
  });
  proxy.setDelegate(retroactive);
  total('telemetry.traces.kept', () => retroactive.counts.kept);
  total('telemetry.traces.dropped', () => retroactive.counts.dropped);
  return retroactive;
}

/** Sets the standard variables from which the SDK makes its metric exporters. */
function configureMetrics(
  environment: NodeJS.ProcessEnv,
  { METRICS_HOST, METRICS_PORT }: TelemetrySettings,
  metrics: readonly string[],
): void {
  environment.OTEL_METRICS_EXPORTER = metrics.join(',') || 'none';
  if (METRICS_PORT === undefined) return;
  environment.OTEL_EXPORTER_PROMETHEUS_HOST = METRICS_HOST;
  environment.OTEL_EXPORTER_PROMETHEUS_PORT = String(METRICS_PORT);
}

/** The standard `OTEL_BSP_*`, with a queue that holds the traces of requests that fail together. */
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
