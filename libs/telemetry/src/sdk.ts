import type { Environment } from '@action-platform/contracts/configuration';
import { context } from '@opentelemetry/api';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOnSampler, BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { type Exporters, spanExporters } from './exporters.ts';
import { idGenerator } from './ids.ts';
import { metricReaders } from './metrics/readers.ts';
import { followProblems } from './problems.ts';
import { resourceOf } from './resource.ts';
import { sampleRetroactively } from './retroactive.ts';
import { Replay } from './retroactive-sampling/replay.ts';
import type { Telemetry } from './running.ts';
import type { TelemetrySettings } from './settings.ts';
import { LONGEST_TEXT, MOST_LINKS } from './stored-span.ts';
import { startTracing } from './trace-context.ts';

/**
 * How often the delay of the event loop is measured, in milliseconds. The default of 10 wakes an idle process a hundred times a second. The
 * measured delay includes this time.
 */
const EVENT_LOOP_LOOK_MS = 250;

/** Starts the SDK with these exporters. Throws WrongConfiguration for an unknown protocol. */
export async function startSdk(
  environment: NodeJS.ProcessEnv,
  settings: TelemetrySettings,
  { traces, metrics }: Exporters,
): Promise<Telemetry> {
  followProblems();
  const exporters = await spanExporters(traces, environment);
  const processors = exporters.map(
    (exporter) => new BatchSpanProcessor({ exporter, ...batching(environment) }),
  );
  environment.OTEL_LOGS_EXPORTER ||= 'none';
  // The standard variable leaves sampling to the SDK, without retroactive sampling.
  const isRetroactive = !environment.OTEL_TRACES_SAMPLER;
  const replay = exporters.length > 0 ? new Replay() : undefined;
  const sdk = new NodeSDK({
    resource: await resourceOf(),
    autoDetectResources: false,
    ...(isRetroactive && replay !== undefined
      ? { sampler: new AlwaysOnSampler(), idGenerator: replay }
      : { idGenerator }),
    spanProcessors: processors,
    metricReaders: await metricReaders(metrics, environment, settings),
    spanLimits: { linkCountLimit: MOST_LINKS, attributeValueLengthLimit: LONGEST_TEXT },
    // The headers of the bus pass the span context from process to process.
    textMapPropagator: null,
    // This instrumentation measures, and makes no spans.
    instrumentations:
      metrics.length === 0
        ? []
        : [new RuntimeNodeInstrumentation({ monitoringPrecision: EVENT_LOOP_LOOK_MS })],
  });
  sdk.start();
  const retroactive = isRetroactive ? sampleRetroactively(settings, replay) : undefined;
  if (exporters.length > 0) startTracing();
  // Without spans no context needs to be propagated, between processes or within one.
  else if (!isRetroactive) context.disable();
  const stop = async () => {
    retroactive?.flush();
    await sdk.shutdown().catch(() => {});
  };
  return { isEnabled: true, retroactive, stop };
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
