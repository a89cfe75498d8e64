import { type Environment, WrongConfiguration } from '@action-platform/contracts/configuration';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from './settings.ts';

/** The exporters that the environment names, by their names in the specification. */
export interface Exporters {
  readonly traces: readonly string[];
  readonly metrics: readonly string[];
}

const KNOWN = { TRACES: ['otlp', 'console'], METRICS: ['otlp', 'console', 'prometheus'] } as const;
/** The package of each protocol. */
const PACKAGES = {
  'http/protobuf': () => import('@opentelemetry/exporter-trace-otlp-proto'),
  'http/json': () => import('@opentelemetry/exporter-trace-otlp-http'),
  grpc: () => import('@opentelemetry/exporter-trace-otlp-grpc'),
} as const;

/**
 * Reads the standard variables (OpenTelemetry specification, "Environment Variable Specification"): `OTEL_TRACES_EXPORTER` and
 * `OTEL_METRICS_EXPORTER`, by default OTLP when an address for it is set and otherwise no exporter. `METRICS_PORT` adds Prometheus. Throws WrongConfiguration for an unknown exporter or protocol.
 */
export function exportersOf(environment: Environment, { METRICS_PORT: port }: TelemetrySettings): Exporters {
  const traces = namedFor('TRACES', environment);
  const metrics = namedFor('METRICS', environment);
  if (metrics.includes('otlp')) otlpProtocol('METRICS', environment);
  return {
    traces,
    metrics: port === undefined ? metrics : [...new Set([...metrics, 'prometheus'])],
  };
}

function namedFor(signal: keyof typeof KNOWN, environment: Environment): string[] {
  const hasAddress =
    !!environment.OTEL_EXPORTER_OTLP_ENDPOINT || !!environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`];
  const list = environment[`OTEL_${signal}_EXPORTER`] || (hasAddress ? 'otlp' : 'none');
  const names = list.split(',').map((name) => name.trim());
  if (names.includes('none')) return [];
  const known: readonly string[] = KNOWN[signal];
  if (names.every((name) => known.includes(name))) return names;
  throw new WrongConfiguration([`OTEL_${signal}_EXPORTER: may be none or of ${known.join(', ')}`]);
}

/** Makes the exporters of spans. */
export async function spanExporters(
  names: readonly string[],
  environment: Environment,
): Promise<SpanExporter[]> {
  return await Promise.all(
    names.map(async (name) => {
      if (name === 'console') return new (await import('@opentelemetry/sdk-trace')).ConsoleSpanExporter();
      const { OTLPTraceExporter } = await PACKAGES[otlpProtocol('TRACES', environment)]();
      return new OTLPTraceExporter();
    }),
  );
}

export type OtlpProtocol = keyof typeof PACKAGES;

/** The protocol that the standard variables name. Throws WrongConfiguration for an unknown one. */
export function otlpProtocol(signal: keyof typeof KNOWN, environment: Environment): OtlpProtocol {
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  const variable = environment[own] ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL';
  const asked = environment[variable] || 'http/protobuf';
  const protocols = Object.keys(PACKAGES) as OtlpProtocol[];
  const known = protocols.find((protocol) => protocol === asked);
  if (known === undefined) throw new WrongConfiguration([`${variable}: may be ${protocols.join(', ')}`]);
  return known;
}
