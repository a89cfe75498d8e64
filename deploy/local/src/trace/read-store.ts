import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExportedSpan, exportedSpans } from '@action-platform/telemetry';

/** Every span in the trace files of a local stack. */
export function readStore(directory: string): ExportedSpan[] {
  return linesOfFiles(directory, '.jsonl').flatMap((line) => {
    const message = parsed(line);
    return message === undefined ? [] : exportedSpans(message);
  });
}

/** A log line about a request. */
export interface LogLine {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly service: string;
  readonly pid: number | undefined;
  readonly level: string;
  readonly text: string;
  /** The span in which it was logged; undefined when the line has none. */
  readonly spanId: string | undefined;
  /** The other fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The log lines with one of these request or trace ids, by time. */
export function readLogLines(directory: string, ids: readonly string[]): LogLine[] {
  return linesOfFiles(directory, '.log')
    .filter((line) => ids.some((id) => line.includes(id)))
    .flatMap((line) => logLine(parsed(line), ids))
    .toSorted((one, other) => one.at - other.at);
}

function logLine(read: unknown, ids: readonly string[]): LogLine[] {
  const { time, level, service, msg, pid, request_id, trace_id, span_id, ...fields } = (read ?? {}) as Record<
    string,
    unknown
  >;
  if (![request_id, trace_id].some((id) => ids.includes(String(id)))) return [];
  return [
    {
      at: Date.parse(String(time)),
      service: String(service),
      pid: pid === undefined ? undefined : Number(pid),
      level: String(level),
      text: String(msg),
      spanId: span_id === undefined ? undefined : String(span_id),
      fields,
    },
  ];
}

function linesOfFiles(directory: string, ending: string): string[] {
  return filesIn(directory)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Parses a line; undefined when it is incomplete, such as the last one of a killed process. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
