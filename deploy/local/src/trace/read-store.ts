import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExportedSpan, exportedSpans } from '@action-platform/telemetry';

/** Every span that the processes of a local stack have written down and that is still there. */
export function readStore(directory: string): ExportedSpan[] {
  return linesOfFiles(directory, '.jsonl').flatMap((line) => {
    const message = parsed(line);
    return message === undefined ? [] : exportedSpans(message);
  });
}

/** A line that a process wrote about one request. */
export interface LogLine {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly service: string;
  readonly pid: number | undefined;
  readonly level: string;
  readonly text: string;
  /** The span in which it was written; undefined when it does not say. */
  readonly spanId: string | undefined;
  /** What else it says. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The lines of the logs that name one of these ids, of a request or a trace, in order. */
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

/** The value of a line; undefined when it is not whole, as the last one of a process that was killed. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
