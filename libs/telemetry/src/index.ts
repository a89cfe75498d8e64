export { type ExportedSpan, exportedSpans } from './exported-span.ts';
export type { Hindsight } from './hindsight/hindsight.ts';
export { inSpan } from './in-span.ts';
export { KEEP_TRACE } from './keep-trace.ts';
export { metricsDeclared } from './metrics/declared.ts';
export { counts, durations, gauge, sizes } from './metrics/instruments.ts';
export { onTelemetryProblem } from './problems.ts';
export { type Telemetry, telemetry } from './running.ts';
export { type TelemetrySettings, telemetrySettings } from './settings.ts';
