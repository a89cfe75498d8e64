import type { ExportedSpan } from '@action-platform/telemetry';
import { escapeControls } from '../escape-controls.ts';
import { requestIdOf } from './find-request.ts';
import type { Row, SpanRow } from './rows.ts';
import type { SpanNode } from './span-tree.ts';

const { pathname: root } = new URL('../../../../', import.meta.url);

const BAR_WIDTH = 30;
const NAME_WIDTH = 58;

/** A request as text: a line for each span, with a bar for its time, and for each log line. */
export function waterfall({ span }: SpanNode, rows: readonly Row[]): string {
  const total = span.endedAt - span.startedAt;
  return [
    ...headOf(span),
    '',
    'Times in ms. PATH: time on the critical path (█; ░ is off it, → is after the answer).',
    '',
    '    START      TOOK      PATH  SERVICE           PID',
    ...rows.map((row) => lineOf(row, total)),
    '',
  ].join('\n');
}

function headOf(span: ExportedSpan): string[] {
  const { attributes } = span;
  const attribute = (name: string) => (attributes[name] === undefined ? undefined : String(attributes[name]));
  const about = [
    attribute('operation.id'),
    `status ${attribute('http.response.status_code')}`,
    attribute('error.type'),
    attribute('workspace.id') && `Workspace ${attribute('workspace.id')}`,
  ].filter((part) => part !== undefined && part !== '');
  return [
    escapeControls(`Request ${requestIdOf(span)}`),
    escapeControls(`${span.name}: ${about.join(', ')}`),
    `${new Date(span.startedAt).toISOString()}, ${ms(span.endedAt - span.startedAt)} ms, trace ${escapeControls(span.traceId)}`,
  ];
}

function lineOf({ at, service, pid, depth, span, log }: Row, total: number): string {
  const times = span === undefined ? ' '.repeat(19) : timesOf(span);
  const place = `${ms(at).padStart(9)} ${times}  ${service.padEnd(12)}  ${String(pid ?? '').padStart(7)}  `;
  const indent = '  '.repeat(depth);
  if (span === undefined) {
    const { level, text, fields } = log!;
    return escapeControls(`${place}${indent}· ${level}: ${text} ${fieldsText(fields)}`.trimEnd());
  }
  const name = `${indent}${nameOf(span.node)}`;
  const bar = barOf(at, span, total);
  return escapeControls(`${place}${name.padEnd(NAME_WIDTH)}  ${bar}${outcomeOf(span.node.span)}`.trimEnd());
}

function timesOf({ took, path }: SpanRow): string {
  return `${ms(took).padStart(9)} ${(path === undefined ? '' : ms(path)).padStart(9)}`;
}

function nameOf({ span, sharedBy }: SpanNode): string {
  return sharedBy === undefined ? span.name : `⇉ ${span.name} (for ${sharedBy} requests)`;
}

function outcomeOf({ isError, attributes }: ExportedSpan): string {
  const outcome = attributes['operation.outcome'];
  if (outcome !== undefined) return `  ✗ ${outcome}`;
  const error = attributes['error.type'];
  const why = attributes['bus.failure'] === undefined ? '' : ` (${attributes['bus.failure']})`;
  if (error !== undefined && error !== '') return `  ${isError ? '✗' : '!'} ${error}${why}`;
  return isError ? '  ✗' : '';
}

function barOf(at: number, { took, path }: SpanRow, total: number): string {
  const column = (time: number) =>
    Math.round((Math.min(Math.max(time, 0), total) / (total || 1)) * BAR_WIDTH);
  if (at >= total) return `${' '.repeat(BAR_WIDTH)}→`;
  const from = Math.min(column(at), BAR_WIDTH - 1);
  const until = Math.max(column(at + took), from + 1);
  const bar = (path === undefined ? '░' : '█').repeat(until - from);
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
