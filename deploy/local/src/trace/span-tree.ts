import type { ExportedSpan } from '@action-platform/telemetry';
import { isRequest } from './find-request.ts';

/** A span with its children, ordered by their start. */
export interface SpanNode {
  readonly span: ExportedSpan;
  /** The number of requests that share it; undefined unless it is a batch with a trace of its own. */
  readonly sharedBy: number | undefined;
  readonly children: readonly SpanNode[];
}

/**
 * The spans of a request as a tree. A batch is a child of the `batched` span that links it, also when it has a trace of its
 * own. A span whose parent is missing is a child of the request.
 */
export function spanTree(spans: readonly ExportedSpan[], root: ExportedSpan): SpanNode {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const byParent = Map.groupBy(spans, ({ parentSpanId }) => parentSpanId);
  const orphans = spans.filter(
    (span) => span.traceId === root.traceId && !byId.has(span.parentSpanId) && isPartOf(span, root),
  );

  const nodeOf = (span: ExportedSpan, seen: ReadonlySet<ExportedSpan>): SpanNode => {
    const within = new Set([...seen, span]);
    const parts = [...(byParent.get(span.spanId) ?? []), ...(span === root ? orphans : [])];
    const shared = span.links
      .map((link) => byId.get(link))
      .filter((linked) => linked !== undefined)
      .filter((linked) => isBatchOf(linked, span));
    const children = [...new Set([...parts, ...shared])]
      .filter((part) => !within.has(part))
      .map((part) => nodeOf(part, within))
      .toSorted((one, other) => one.span.startedAt - other.span.startedAt);
    const sharedBy = isBatch(span) && span.links.length > 1 ? span.links.length : undefined;
    return { span, sharedBy, children };
  };
  return nodeOf(root, new Set());
}

/** Whether a span can belong to a request: a caller may make several requests in one trace. */
function isPartOf(span: ExportedSpan, request: ExportedSpan): boolean {
  return !isRequest(span) && span.startedAt < request.endedAt && span.endedAt > request.startedAt;
}

/** Whether `batch` is the batch of a `batched` span: the two link each other, and have different traces. */
function isBatchOf(batch: ExportedSpan, span: ExportedSpan): boolean {
  return isBatch(batch) && batch.traceId !== span.traceId && batch.links.includes(span.spanId);
}

function isBatch({ attributes }: ExportedSpan): boolean {
  return attributes['batch.items'] !== undefined;
}
