import { healthRoutes } from '@action-platform/contracts';
import type { ExportedSpan } from '@action-platform/telemetry';

/** The request to find: by its id, the last failed one, or the slowest. */
export type Wanted = { readonly id: string } | 'last-error' | 'slowest';

const TRACE_ID = /^(?:req_)?([0-9a-f]{32})$/;

/** Finds the gateway's span of a request; undefined when the trace files do not have it. */
export function findRequest(spans: readonly ExportedSpan[], wanted: Wanted): ExportedSpan | undefined {
  const requests = spans.filter(isRequest);
  const ofCallers = requests.filter((span) => !isProbe(span));
  if (wanted === 'slowest') return greatest(ofCallers, ({ startedAt, endedAt }) => endedAt - startedAt);
  if (wanted === 'last-error') {
    const unsuccessful = new Set(spans.filter(hasFailedOutcome).map(({ traceId }) => traceId));
    const failed = ofCallers.filter((span) => hasFailed(span) || unsuccessful.has(span.traceId));
    return greatest(failed, ({ startedAt }) => startedAt);
  }
  const [, traceId] = TRACE_ID.exec(wanted.id) ?? [];
  const named = requests.filter(
    (span) => requestIdOf(span) === wanted.id || (traceId !== undefined && span.traceId === traceId),
  );
  // Callers may use a request id twice; this finds the latest.
  return greatest(named, ({ startedAt }) => startedAt);
}

/** The request id of a span; empty without one. */
export function requestIdOf({ attributes }: ExportedSpan): string {
  return String(attributes['request.id'] ?? '');
}

/** Whether this is a gateway's span of a request. */
export function isRequest({ attributes }: ExportedSpan): boolean {
  return attributes['http.request.method'] !== undefined && attributes['request.id'] !== undefined;
}

const probed: readonly string[] = Object.values(healthRoutes).map(({ path }) => path);

/** Whether this is a health check: while a part of the platform is down, every health check is slow or fails. */
function isProbe({ attributes }: ExportedSpan): boolean {
  return probed.includes(String(attributes['http.route']));
}

function hasFailed({ isError, attributes }: ExportedSpan): boolean {
  return isError || Number(attributes['http.response.status_code']) >= 500;
}

/** Whether the 200 of an operation reports a failure or an unknown outcome. */
function hasFailedOutcome({ attributes }: ExportedSpan): boolean {
  return attributes['operation.outcome'] !== undefined;
}

function greatest(
  spans: readonly ExportedSpan[],
  measure: (span: ExportedSpan) => number,
): ExportedSpan | undefined {
  return spans.reduce<ExportedSpan | undefined>(
    (best, span) => (best === undefined || measure(span) > measure(best) ? span : best),
    undefined,
  );
}
