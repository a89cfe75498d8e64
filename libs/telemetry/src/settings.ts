import { z } from 'zod';

/** The environment variables of telemetry, beside the standard `OTEL_*`. */
export const telemetrySettings = z.object({
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'The port on which Prometheus finds the metrics of this process, at /metrics; none when not set.',
    ),
  METRICS_HOST: z.string().default('127.0.0.1').describe('The address of METRICS_PORT.'),
  TRACES_ALL_PER_SECOND: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe('So many requests a second of a gateway are traced whatever there is.'),
  TRACES_SHARE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('Which part of the requests beyond those is traced, from 0 to 1.'),
  TRACES_SLOW_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe(
      'The trace of a request that takes so long, in milliseconds, is kept, as that of a failure is.',
    ),
  TRACES_FILE: z
    .string()
    .optional()
    .describe(
      'A file into which this process writes its traces (OTLP as JSON lines, `….jsonl`), besides where else they go. It and the one before it are kept, 8 MiB each.',
    ),
  TRACES_RING_BYTES: z.coerce
    .number()
    .int()
    .min(65_536)
    .default(33_554_432)
    .describe('How much a process keeps of what is not traced, in case it has to be after all, in bytes.'),
});
export type TelemetrySettings = z.output<typeof telemetrySettings>;
