import type { SpanNode } from './span-tree.ts';

/**
 * What the time of a request was spent on: for each span on its critical path, for how long, in milliseconds, nothing but that span
 * kept the request waiting. Together they are the duration of the request.
 *
 * From the end backwards the request waits for the part that ended last, then for the one that had ended last when that began, and so on
 * within each of them. What is between the parts is spent by the whole itself.
 */
export function criticalPath(root: SpanNode): ReadonlyMap<SpanNode, number> {
  const path = new Map<SpanNode, number>();

  const walk = (node: SpanNode, from: number, until: number): void => {
    let own = 0;
    let at = until;
    for (const part of node.children.toSorted((one, other) => other.span.endedAt - one.span.endedAt)) {
      const [begins, ends] = [Math.max(part.span.startedAt, from), Math.min(part.span.endedAt, at)];
      if (begins >= ends) continue;
      own += at - ends;
      walk(part, begins, ends);
      at = begins;
    }
    path.set(node, own + at - from);
  };
  walk(root, root.span.startedAt, root.span.endedAt);
  return path;
}
