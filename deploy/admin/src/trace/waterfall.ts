import { escapeHidden } from '@action-platform/contracts/schema';
import type { Row, SpanRow } from './rows.ts';

const { pathname: root } = new URL('../../../../', import.meta.url);

const BAR_WIDTH = 30;
const NAME_WIDTH = 58;

/** A request as `admin trace` answers with it. */
export interface Drawn {
  readonly started_at: string;
  /** The first one is the request's own span. */
  readonly rows: readonly Row[];
  /** A sentence for each replica that may have more of it. */
  readonly gaps: readonly string[];
  /** The replicas that ended and have a successor: their spans ended with them. */
  readonly replaced: readonly string[];
}

/** A request as text: a line for each span, with a bar for its time, and for each log line. */
export function waterfall({ started_at, rows, gaps, replaced }: Drawn): string {
  const request = rows[0] as SpanRow;
  return [
    ...headOf(request, started_at),
    '',
    'Times in ms. PATH: time on the critical path (█; ░ is off it, → is after the answer).',
    '',
    '    START      TOOK      PATH  SERVICE           PID',
    ...rows.map((row) => lineOf(row, request.took_ms)),
    ...gaps.map((gap) => escapeHidden(`Not whole: ${gap}`)),
    ...replaced.map((replica) => escapeHidden(`Replaced since: ${replica}; its spans ended with it.`)),
    '',
  ].join('\n');
}

function headOf({ attributes, name, took_ms, trace_id }: SpanRow, startedAt: string): string[] {
  const attribute = (name: string) => (attributes[name] === undefined ? undefined : String(attributes[name]));
  const about = [
    attribute('operation.id'),
    `status ${attribute('http.response.status_code')}`,
    attribute('error.type'),
    attribute('workspace.id') && `Workspace ${attribute('workspace.id')}`,
  ].filter((part) => part !== undefined && part !== '');
  return [
    `Request ${attribute('request.id')}`,
    `${name}: ${about.join(', ')}`,
    `${startedAt}, ${ms(took_ms)} ms, trace ${trace_id}`,
  ].map(escapeHidden);
}

function lineOf(row: Row, total: number): string {
  const times = row.kind === 'log' ? ' '.repeat(19) : timesOf(row);
  const process = `${row.service.padEnd(12)}  ${String(row.pid ?? '').padStart(7)}`;
  const place = `${ms(row.at_ms).padStart(9)} ${times}  ${process}  ${'  '.repeat(row.depth)}`;
  if (row.kind === 'log')
    return escapeHidden(`${place}· ${row.level}: ${row.text} ${fieldsText(row.fields)}`.trimEnd());
  const name = nameOf(row).padEnd(NAME_WIDTH - 2 * row.depth);
  return escapeHidden(`${place}${name}  ${barOf(row, total)}${outcomeOf(row)}`.trimEnd());
}

function timesOf({ took_ms, critical_path_ms: path }: SpanRow): string {
  return `${ms(took_ms).padStart(9)} ${(path === null ? '' : ms(path)).padStart(9)}`;
}

function nameOf({ name, shared_by }: SpanRow): string {
  return shared_by === 1 ? name : `⇉ ${name} (for ${shared_by} requests)`;
}

function outcomeOf({ is_error, attributes }: SpanRow): string {
  const outcome = attributes['operation.outcome'];
  if (outcome !== undefined) return `  ✗ ${outcome}`;
  const error = attributes['error.type'];
  const why = attributes['bus.failure'] === undefined ? '' : ` (${attributes['bus.failure']})`;
  if (error !== undefined && error !== '') return `  ${is_error ? '✗' : '!'} ${error}${why}`;
  return is_error ? '  ✗' : '';
}

function barOf({ at_ms, took_ms, critical_path_ms }: SpanRow, total: number): string {
  const column = (time: number) =>
    Math.round((Math.min(Math.max(time, 0), total) / (total || 1)) * BAR_WIDTH);
  if (at_ms >= total) return `${' '.repeat(BAR_WIDTH)}→`;
  const from = Math.min(column(at_ms), BAR_WIDTH - 1);
  const until = Math.max(column(at_ms + took_ms), from + 1);
  const bar = (critical_path_ms === null ? '░' : '█').repeat(until - from);
  return `${' '.repeat(from)}${bar}`.padEnd(BAR_WIDTH);
}

/** The other fields of a log line: first the cause of a failure with its place in the code, then all fields with a value. */
function fieldsText({ err, ...fields }: Readonly<Record<string, unknown>>): string {
  const others = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== 0)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  return [...causeIn(err), ...others].join(' ');
}

function causeIn(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return [];
  const { type, code, message, stack } = err as Readonly<Record<string, unknown>>;
  const [frame] = String(stack ?? '')
    .split('\n')
    .filter((line) => !line.includes('(node:'));
  // Relative to the repository: stacks name modules by URL and other files by path.
  const place = frame?.trim().replace(`file://${root}`, '').replace(root, '');
  return [type, code, message, place].filter((part) => part !== undefined).map(String);
}

function ms(milliseconds: number): string {
  // Avoids -0.0.
  return (Number(milliseconds.toFixed(1)) + 0).toFixed(1);
}
