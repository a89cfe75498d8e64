import type { Environment } from '@action-platform/contracts';
import {
  ConsoleMetricExporter,
  type MetricReader,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import { otlpProtocol } from '../exporters.ts';
import type { TelemetrySettings } from '../settings.ts';
import type { IsKept } from './exemplar.ts';
import { histogramProducer } from './producer.ts';

/** Makes what reads the metrics for these exporters; only those that are asked for are loaded. */
export async function metricReaders(
  names: readonly string[],
  { METRICS_PORT, METRICS_HOST }: TelemetrySettings,
  environment: Environment,
  isKept: IsKept,
): Promise<MetricReader[]> {
  const metricProducers = [histogramProducer(isKept)];
  const { OTEL_EXPORTER_PROMETHEUS_HOST, OTEL_EXPORTER_PROMETHEUS_PORT } = environment;
  const exportIntervalMillis = Number(environment.OTEL_METRIC_EXPORT_INTERVAL || 60_000);
  const patience = Number(environment.OTEL_METRIC_EXPORT_TIMEOUT || 30_000);
  const exportTimeoutMillis = Math.min(patience, exportIntervalMillis);
  const periodic = (exporter: PushMetricExporter) =>
    new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis,
      metricProducers,
    });
  return await Promise.all(
    names.map(async (name) => {
      if (name === 'console') return periodic(new ConsoleMetricExporter());
      if (name === 'otlp') return periodic(await otlpExporter(environment));
      const { PrometheusReader } = await import('./prometheus-reader.ts');
      const [host, port] =
        METRICS_PORT === undefined
          ? [OTEL_EXPORTER_PROMETHEUS_HOST || 'localhost', Number(OTEL_EXPORTER_PROMETHEUS_PORT || 9464)]
          : [METRICS_HOST, METRICS_PORT];
      return new PrometheusReader(host, port, metricProducers);
    }),
  );
}

async function otlpExporter(environment: Environment): Promise<PushMetricExporter> {
  switch (otlpProtocol('METRICS', environment)) {
    case 'http/protobuf':
      return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
    case 'http/json':
      return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
    case 'grpc':
      return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
  }
}
