import { criticalPath } from './critical-path.ts';
import type { LogLine } from './found.ts';
import type { SpanNode } from './span-tree.ts';

/** The position of a row in the drawing. Times are milliseconds, `at_ms` since the start of the request. */
interface Position {
  readonly at_ms: number;
  readonly service: string;
  /** The replica, by the process id that `admin status` shows. */
  readonly pid: number | undefined;
  readonly depth: number;
}

export interface SpanRow extends Position {
  readonly kind: 'span';
  readonly took_ms: number;
  /** The time on the critical path; null for a span that is not on it. */
  readonly critical_path_ms: number | null;
  readonly replica: string;
  readonly name: string;
  readonly trace_id: string;
  readonly span_id: string;
  readonly shared_by: number;
  readonly is_error: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface LogRow extends Position, Pick<LogLine, 'level' | 'text' | 'fields'> {
  readonly kind: 'log';
}

/** A line of the drawing. */
export type Row = SpanRow | LogRow;

/** The rows of a request: each span before its children, and each log line below the span that wrote it. */
export function rowsOf(root: SpanNode, lines: readonly LogLine[]): Row[] {
  const path = criticalPath(root);
  const begin = root.span.started_at;
  const shown = new Set(spanIdsOf(root));
  const isShown = ({ span_id }: LogLine) => span_id !== undefined && shown.has(span_id);

  const rows = (node: SpanNode, depth: number): Row[] => {
    const { span, sharedBy } = node;
    const own = lines.filter((line) => (isShown(line) ? line.span_id === span.span_id : node === root));
    const parts = [
      ...node.children.map((child) => ({ at: child.span.started_at, rows: () => rows(child, depth + 1) })),
      ...own.map((log) => ({ at: log.at, rows: () => [logRow(log, depth + 1)] })),
    ].toSorted((one, other) => one.at - other.at);
    const { service, pid, replica, name, trace_id, span_id, is_error, attributes } = span;
    const row: SpanRow = {
      ...{ kind: 'span', at_ms: span.started_at - begin, took_ms: span.ended_at - span.started_at },
      ...{ critical_path_ms: path.get(node) ?? null, service, pid, replica, depth },
      ...{ name, trace_id, span_id, shared_by: sharedBy, is_error, attributes },
    };
    return [row, ...parts.flatMap((part) => part.rows())];
  };
  const logRow = ({ at, service, pid, level, text, fields }: LogLine, depth: number): LogRow => {
    return { kind: 'log', at_ms: at - begin, service, pid, depth, level, text, fields };
  };
  return rows(root, 0);
}

function spanIdsOf({ span, children }: SpanNode): string[] {
  return [span.span_id, ...children.flatMap(spanIdsOf)];
}
