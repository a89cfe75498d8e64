import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { untilAnswering } from '../../environment/until-answering.ts';
import type { Environment } from '../contender.ts';

/**
 * What the platform exports: nothing, metrics alone, metrics with traces by retroactive sampling alone, the default of a configured
 * exporter, or a trace of every request.
 */
const modes = {
  off: undefined,
  metrics: { OTEL_TRACES_EXPORTER: 'none' },
  retroactive: { TRACES_ALL_PER_SECOND: '0', TRACES_SHARE: '0' },
  default: {},
  all: { TRACES_SHARE: '1' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

export type TelemetryMode = keyof typeof modes;

/** Reads the name of a mode; the error for an unknown one lists all in one line. */
export function telemetryMode(name: string): TelemetryMode {
  if (Object.hasOwn(modes, name)) return name as TelemetryMode;
  throw new Error(`--telemetry takes ${Object.keys(modes).join(', ')}, not "${name}".`);
}

/** Starts the sink for a platform's telemetry, unless that is off; returns the variables for its processes. */
export async function startTelemetry(
  mode: TelemetryMode,
  contender: string,
  { processes }: Environment,
): Promise<Readonly<Record<string, string>>> {
  const settings = modes[mode];
  if (settings === undefined) return {};
  const port = String(await freePort());
  const script = fileURLToPath(new URL('otlp-sink.ts', import.meta.url));
  const sink = await processes.start({
    name: 'otlp-sink',
    contender,
    args: [script],
    environment: { PORT: port },
  });
  const address = `http://127.0.0.1:${port}`;
  await untilAnswering(address, [sink]);
  return { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: address };
}
