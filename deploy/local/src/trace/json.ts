import { escapeControls } from '../escape-controls.ts';
import type { Row } from './rows.ts';

/** The rows as JSON. Times are milliseconds since the start of the request. */
export function asJson(rows: readonly Row[]): string {
  return `${escapeControls(JSON.stringify({ rows: rows.map(described) }))}\n`;
}

function described({ at, service, pid, depth, span, log }: Row): object {
  if (span === undefined) {
    const { level, text, fields } = log!;
    return { kind: 'log', at_ms: at, service, pid, depth, level, text, fields };
  }
  const { span: stored, sharedBy } = span.node;
  return {
    kind: 'span',
    at_ms: at,
    took_ms: span.took,
    critical_path_ms: span.path ?? null,
    service,
    pid,
    replica: stored.replica,
    depth,
    name: stored.name,
    trace_id: stored.traceId,
    span_id: stored.spanId,
    shared_by: sharedBy ?? 1,
    is_error: stored.isError,
    attributes: stored.attributes,
  };
}
