import { criticalPath } from './critical-path.ts';
import type { LogLine } from './read-store.ts';
import type { SpanNode } from './span-tree.ts';

/** A line of the drawing. Times are milliseconds since the start of the request. */
export interface Row {
  readonly at: number;
  readonly service: string;
  /** The replica, by the process id that `admin status` shows. */
  readonly pid: number | undefined;
  /** The depth in the tree of spans. */
  readonly depth: number;
  readonly span?: SpanRow;
  readonly log?: LogLine;
}

/** The row of a span. Times are milliseconds. */
export interface SpanRow {
  readonly node: SpanNode;
  readonly took: number;
  /** The time on the critical path; undefined for a span that is not on it. */
  readonly path: number | undefined;
}

/** The rows of a request: each span before its children, and each log line below the span that wrote it. */
export function rowsOf(root: SpanNode, lines: readonly LogLine[]): Row[] {
  const path = criticalPath(root);
  const begin = root.span.startedAt;
  const shown = new Set(spanIdsOf(root));
  const isShown = ({ spanId }: LogLine) => spanId !== undefined && shown.has(spanId);

  const rows = (node: SpanNode, depth: number): Row[] => {
    const { span } = node;
    const own = lines.filter((line) => (isShown(line) ? line.spanId === span.spanId : node === root));
    const parts = [
      ...node.children.map((child) => ({ at: child.span.startedAt, rows: () => rows(child, depth + 1) })),
      ...own.map((log) => ({ at: log.at, rows: () => [rowOf(log, depth + 1)] })),
    ].toSorted((one, other) => one.at - other.at);
    const took = span.endedAt - span.startedAt;
    const row = { at: span.startedAt - begin, service: span.service, pid: span.pid, depth };
    return [{ ...row, span: { node, took, path: path.get(node) } }, ...parts.flatMap((part) => part.rows())];
  };
  const rowOf = (log: LogLine, depth: number): Row => ({
    at: log.at - begin,
    service: log.service,
    pid: log.pid,
    depth,
    log,
  });
  return rows(root, 0);
}

function spanIdsOf({ span, children }: SpanNode): string[] {
  return [span.spanId, ...children.flatMap(spanIdsOf)];
}
