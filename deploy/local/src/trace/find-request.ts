import { healthRoutes } from '@action-platform/contracts';
import type { ExportedSpan } from '@action-platform/telemetry';

/** Which request is meant. */
export type Wanted = { readonly id: string } | 'last-error' | 'slowest';

const TRACE_ID = /^(?:req_)?([0-9a-f]{32})$/;

/** Finds the span of the request that is meant; undefined when nothing is kept of it. */
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
  // Whoever chooses a request id may choose it twice: the last one is meant.
  return greatest(named, ({ startedAt }) => startedAt);
}

/** The id of the request whose span it is; empty when it is of none. */
export function requestIdOf({ attributes }: ExportedSpan): string {
  return String(attributes['request.id'] ?? '');
}

/** Whether it is the span of a request, as a gateway has it. */
export function isRequest({ attributes }: ExportedSpan): boolean {
  return attributes['http.request.method'] !== undefined && attributes['request.id'] !== undefined;
}

const probed: readonly string[] = Object.values(healthRoutes).map(({ path }) => path);

/** Whether somebody only looks how the platform is: what is slow or missing is then so for them again and again. */
function isProbe({ attributes }: ExportedSpan): boolean {
  return probed.includes(String(attributes['http.route']));
}

function hasFailed({ isError, attributes }: ExportedSpan): boolean {
  return isError || Number(attributes['http.response.status_code']) >= 500;
}

/** Whether an operation answered with 200 that it failed, or that its outcome is unknown. */
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
