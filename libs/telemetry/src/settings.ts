import { optionalPort, wholeNumber } from '@action-platform/contracts/configuration';
import { z } from 'zod';

/** The environment variables of telemetry, beside the standard `OTEL_*`. */
export const telemetrySettings = z.object({
  METRICS_PORT: optionalPort(
    'The port on which Prometheus reads the metrics of this process, at /metrics; none by default.',
  ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('The address of METRICS_PORT.'),
  TRACES_ALL_PER_SECOND: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe(
      'With an exporter of traces, the number of requests per second that each gateway always samples.',
    ),
  TRACES_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('The share of further requests that it samples, from 0 to 1.'),
  TRACES_SLOW_MS: wholeNumber(
    "The duration from which a request's trace is kept like that of a failed one, in milliseconds.",
    { min: 1, byDefault: 1_000 },
  ),
  TRACES_RING_BYTES: wholeNumber(
    'The size of the ring buffer for the spans of recent requests, in bytes; those of failed and slow ones have 4 MiB more.',
    { min: 65_536, byDefault: 33_554_432 },
  ),
});
export type TelemetrySettings = z.output<typeof telemetrySettings>;
