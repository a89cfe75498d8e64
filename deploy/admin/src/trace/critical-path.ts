import type { SpanNode } from './span-tree.ts';

/**
 * The critical path of a request: for each span on it the milliseconds in which the request waited for that span alone. Their
 * sum is the duration of the request.
 *
 * Backwards from its end, a span waits for the child that ended last, then for the child that ended last before that one
 * began, and so on in each child. The time between children is the span's own.
 */
export function criticalPath(root: SpanNode): ReadonlyMap<SpanNode, number> {
  const path = new Map<SpanNode, number>();

  const walk = (node: SpanNode, from: number, until: number): void => {
    let own = 0;
    let at = until;
    for (const part of node.children.toSorted((one, other) => other.span.ended_at - one.span.ended_at)) {
      const [begins, ends] = [Math.max(part.span.started_at, from), Math.min(part.span.ended_at, at)];
      if (begins >= ends) continue;
      own += at - ends;
      walk(part, begins, ends);
      at = begins;
    }
    path.set(node, own + at - from);
  };
  walk(root, root.span.started_at, root.span.ended_at);
  return path;
}
