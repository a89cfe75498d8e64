import type { Environment } from '@action-platform/contracts';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { NodeSDK, type NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import { type Exporters, spanExporters } from './exporters.ts';
import { HeadSampler } from './head-sampler.ts';
import { Hindsight } from './hindsight/hindsight.ts';
import { total } from './metrics/instruments.ts';
import { followProblems } from './problems.ts';
import { resourceOf } from './resource.ts';
import type { Telemetry } from './running.ts';
import type { TelemetrySettings } from './settings.ts';

/** How many links a span may have: as many as there are requests in a large batch. */
const MOST_LINKS = 1_024;
/** The longest text in an attribute, in characters. */
const LONGEST_TEXT = 1_024;

/** Starts the SDK with these exporters. Throws WrongConfiguration when there is no such exporter. */
export async function startSdk(
  environment: NodeJS.ProcessEnv,
  settings: TelemetrySettings,
  { traces, metrics }: Exporters,
): Promise<Telemetry> {
  followProblems();
  const exporters = await spanExporters(traces, settings, environment);
  const { TRACES_RING_BYTES: ringBytes, TRACES_SLOW_MS: slowMs } = settings;
  const batches = exporters.map((exporter) => new BatchSpanProcessor({ exporter, ...batching(environment) }));
  const hindsight = exporters.length === 0 ? undefined : new Hindsight({ ringBytes, slowMs }, batches);
  setMetrics(environment, settings, metrics);
  const sdk = new NodeSDK({
    resource: resourceOf(),
    ...samplerOf(environment, settings),
    spanProcessors: hindsight === undefined ? [] : [hindsight],
    spanLimits: { linkCountLimit: MOST_LINKS, attributeValueLengthLimit: LONGEST_TEXT },
    textMapPropagator: new W3CTraceContextPropagator(),
    // It measures, nothing else.
    instrumentations: metrics.length === 0 ? [] : [new RuntimeNodeInstrumentation()],
  });
  sdk.start();
  if (hindsight !== undefined) {
    total('telemetry.traces.kept', () => hindsight.counts.kept);
    total('telemetry.traces.dropped', () => hindsight.counts.dropped);
  }
  return { isOn: true, hindsight, stop: () => sdk.shutdown().catch(() => {}) };
}

/** How much is exported as it goes: as our own settings say, or else the standard variable, which the SDK reads by itself. */
function samplerOf(
  { OTEL_TRACES_SAMPLER }: Environment,
  { TRACES_ALL_PER_SECOND: allUpTo, TRACES_SHARE: share }: TelemetrySettings,
): Pick<NodeSDKConfiguration, 'sampler'> | undefined {
  return OTEL_TRACES_SAMPLER ? undefined : { sampler: new HeadSampler({ allUpTo, share }) };
}

/** Asks for readers of metrics in the words of the environment, as the SDK makes them of nothing else; and for no logs. */
function setMetrics(
  environment: NodeJS.ProcessEnv,
  { METRICS_PORT: port, METRICS_HOST: host }: TelemetrySettings,
  names: Exporters['metrics'],
): void {
  environment.OTEL_METRICS_EXPORTER = names.join(',') || 'none';
  environment.OTEL_LOGS_EXPORTER ||= 'none';
  if (port === undefined) return;
  environment.OTEL_EXPORTER_PROMETHEUS_HOST = host;
  environment.OTEL_EXPORTER_PROMETHEUS_PORT = String(port);
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
