import { isRequest, requestIdOf, type TraceSpan } from './found.ts';

/** A span with its children, ordered by their start. */
export interface SpanNode {
  readonly span: TraceSpan;
  /** The number of requests that share it; more than one for a batch with a trace of its own. */
  readonly sharedBy: number;
  readonly children: readonly SpanNode[];
}

/**
 * The spans of a request as a tree. A batch is a child of the `batched` span that links it, also when it has a trace of its
 * own. A span whose parent is missing is a child of the request.
 */
export function spanTree(spans: readonly TraceSpan[], root: TraceSpan): SpanNode {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  const byParent = Map.groupBy(spans, ({ parent_span_id }) => parent_span_id);
  const orphans = spans.filter(
    (span) => span.trace_id === root.trace_id && !byId.has(span.parent_span_id) && isPartOf(span, root),
  );

  const nodeOf = (span: TraceSpan, seen: ReadonlySet<TraceSpan>): SpanNode => {
    const within = new Set([...seen, span]);
    const parts = [...(byParent.get(span.span_id) ?? []), ...(span === root ? orphans : [])];
    const shared = span.links
      .map((link) => byId.get(link))
      .filter((linked) => linked !== undefined)
      .filter((linked) => isBatchOf(linked, span));
    const children = [...new Set([...parts, ...shared])]
      .filter((part) => !within.has(part))
      .map((part) => nodeOf(part, within))
      .toSorted((one, other) => one.span.started_at - other.span.started_at);
    const sharedBy = isBatch(span) ? Math.max(span.links.length, 1) : 1;
    return { span, sharedBy, children };
  };
  return nodeOf(root, new Set());
}

/** Whether a span can belong to a request: a caller may make several requests in one trace. */
function isPartOf(span: TraceSpan, request: TraceSpan): boolean {
  const isOfAnother = requestIdOf(span) !== '' && requestIdOf(span) !== requestIdOf(request);
  return (
    !isOfAnother &&
    !isRequest(span) &&
    span.started_at < request.ended_at &&
    span.ended_at > request.started_at
  );
}

/** Whether `batch` is the batch of a `batched` span: the two link each other, and have different traces. */
function isBatchOf(batch: TraceSpan, span: TraceSpan): boolean {
  return isBatch(batch) && batch.trace_id !== span.trace_id && batch.links.includes(span.span_id);
}

function isBatch({ attributes }: TraceSpan): boolean {
  return attributes['batch.items'] !== undefined;
}
