import { optionalPort, wholeNumber } from '@action-platform/contracts/configuration';
import { z } from 'zod';

/** The environment variables of telemetry, beside the standard `OTEL_*`. */
export const telemetrySettings = z.object({
  METRICS_PORT: optionalPort('The port of /metrics for Prometheus.'),
  METRICS_HOST: z.string().default('127.0.0.1').describe('The address of METRICS_PORT.'),
  TRACES_ALL_PER_SECOND: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe('The requests per second that each gateway always samples for an exporter of traces.'),
  TRACES_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('The share of further requests that it samples, from 0 to 1.'),
  TRACES_SLOW_MS: wholeNumber(
    'The duration from which a trace is kept as of a failed request, in milliseconds.',
    { min: 1, byDefault: 1_000 },
  ),
  TRACES_RING_BYTES: wholeNumber(
    'The size of the ring buffer for the spans of recent requests, in bytes; those of failed and slow ones have 4 MiB more.',
    { min: 65_536, byDefault: 33_554_432 },
  ),
});
export type TelemetrySettings = z.output<typeof telemetrySettings>;
