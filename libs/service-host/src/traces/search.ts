import { setImmediate as endOfTick } from 'node:timers/promises';
import type { TraceQuestion } from '@action-platform/contracts/bus';
import { healthRoutes } from '@action-platform/contracts/routes';
import type { EndedSpan } from '@action-platform/telemetry';
import { SpanStatusCode } from '@opentelemetry/api';

/** How long a search may take, in milliseconds. */
const SEARCH_MS = 2_000;

/** The span by which a request is found. Other work of the process runs after each block of spans. */
export async function searched(
  blocks: Iterable<readonly EndedSpan[]>,
  find: Exclude<TraceQuestion['find'], 'trace'>,
  id: string,
): Promise<EndedSpan | undefined> {
  const { matches, rank } = searches[find];
  const deadline = performance.now() + SEARCH_MS;
  let best: EndedSpan | undefined;
  for (const block of blocks) {
    for (const span of block)
      if (matches(span, id) && (best === undefined || rank(span) > rank(best))) best = span;
    if (performance.now() > deadline) break;
    await endOfTick();
  }
  return best;
}

/** The spans of one request among those of a trace: a caller may make many requests in it. The nearest id above a span names its request. */
export function spansOfRequest(spans: readonly EndedSpan[], id: string): EndedSpan[] {
  const byId = new Map(spans.map((span) => [span.context.spanId, span]));
  const requestOf = (span: EndedSpan): unknown => {
    const above = span.parent && byId.get(span.parent.spanId);
    return attribute(span, 'request.id') ?? (above && requestOf(above));
  };
  return spans.filter((span) => requestOf(span) === id);
}

const endedAt = (span: EndedSpan) => span.endedAt;
const searches = {
  request: { matches: (span: EndedSpan, id: string) => requestId(span) === id, rank: endedAt },
  'last-error': { matches: hasFailed, rank: endedAt },
  slowest: { matches: isFromCaller, rank: (span: EndedSpan) => span.endedAt - span.startedAt },
};

function attribute({ given, added }: EndedSpan, name: string): unknown {
  return added[name] ?? given[name];
}

/** The request id of a gateway's span of a request; undefined for other spans. */
function requestId(span: EndedSpan): unknown {
  return attribute(span, 'http.request.method') === undefined ? undefined : attribute(span, 'request.id');
}

const probed: readonly unknown[] = Object.values(healthRoutes).map(({ path }) => path);

/** Whether a span is of a caller's request: while a part of the platform is down, every health check is slow or fails. */
function isFromCaller(span: EndedSpan): boolean {
  return requestId(span) !== undefined && !probed.includes(attribute(span, 'http.route'));
}

/** Whether a request failed with 5xx, or the 200 of an operation reports a failed or unknown outcome. */
function hasFailed(span: EndedSpan): boolean {
  if (attribute(span, 'operation.outcome') !== undefined) return true;
  const failed =
    span.status === SpanStatusCode.ERROR || Number(attribute(span, 'http.response.status_code')) >= 500;
  return failed && isFromCaller(span);
}
