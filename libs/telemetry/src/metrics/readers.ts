import type { Environment } from '@action-platform/contracts/configuration';
import {
  ConsoleMetricExporter,
  type MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { type OtlpProtocol, otlpProtocol } from '../exporters.ts';
import type { TelemetrySettings } from '../settings.ts';
import { changingGauges } from './changing-gauges.ts';

/** The package of each protocol. */
const PACKAGES = {
  'http/protobuf': () => import('@opentelemetry/exporter-metrics-otlp-proto'),
  'http/json': () => import('@opentelemetry/exporter-metrics-otlp-http'),
  grpc: () => import('@opentelemetry/exporter-metrics-otlp-grpc'),
} satisfies Record<OtlpProtocol, unknown>;

const metricProducers = [changingGauges];

/** Makes the reader of each named exporter. A reader that the SDK makes from the standard variables has no further producer. */
export async function metricReaders(
  names: readonly string[],
  environment: Environment,
  settings: TelemetrySettings,
): Promise<MetricReader[]> {
  return await Promise.all(
    names.map(async (name) => {
      if (name === 'prometheus') return await prometheus(environment, settings);
      const exporter = name === 'console' ? new ConsoleMetricExporter() : await otlp(environment);
      return new PeriodicExportingMetricReader({ exporter, metricProducers, ...interval(environment) });
    }),
  );
}

async function prometheus(
  { OTEL_EXPORTER_PROMETHEUS_HOST, OTEL_EXPORTER_PROMETHEUS_PORT }: Environment,
  { METRICS_HOST, METRICS_PORT }: TelemetrySettings,
): Promise<MetricReader> {
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const { host, port } = PrometheusExporter.DEFAULT_OPTIONS;
  const standard = {
    host: OTEL_EXPORTER_PROMETHEUS_HOST || host,
    port: Number(OTEL_EXPORTER_PROMETHEUS_PORT || port),
  };
  const own = METRICS_PORT === undefined ? standard : { host: METRICS_HOST, port: METRICS_PORT };
  return new PrometheusExporter({ ...own, metricProducers });
}

async function otlp(environment: Environment) {
  const { OTLPMetricExporter } = await PACKAGES[otlpProtocol('METRICS', environment)]();
  return new OTLPMetricExporter();
}

/** The standard variables, in milliseconds. The SDK refuses a timeout that is longer than the interval. */
export function interval({ OTEL_METRIC_EXPORT_INTERVAL, OTEL_METRIC_EXPORT_TIMEOUT }: Environment) {
  const exportIntervalMillis = above0(OTEL_METRIC_EXPORT_INTERVAL) ?? 60_000;
  const timeout = above0(OTEL_METRIC_EXPORT_TIMEOUT) ?? 30_000;
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) };
}

/** The number of a variable; undefined for a value that the SDK ignores too. */
function above0(value: string | undefined): number | undefined {
  const number = Number(value);
  return number > 0 && Number.isFinite(number) ? number : undefined;
}
