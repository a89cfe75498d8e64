import {
  type StoredSpan,
  type TraceAnswer,
  type TraceQuestion,
  traceAnswerLimits,
  traceSurvey,
} from '@action-platform/contracts/bus';
import type { Platform } from '../platform.ts';
import { expected, unheard } from '../replicas.ts';

/** A stored span, and the replica that stored it. */
export type TraceSpan = StoredSpan & Pick<TraceAnswer, 'service' | 'replica' | 'pid'>;

export interface LogLine {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly service: string;
  readonly pid: number | undefined;
  readonly level: string;
  readonly text: string;
  /** The span in which it was logged; undefined when the line has none. */
  readonly span_id: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The spans and log lines that replicas store, and a sentence for each replica that may have more. */
interface Stored {
  readonly spans: readonly TraceSpan[];
  readonly lines: readonly LogLine[];
  readonly gaps: readonly string[];
  /** A sentence for each replica that ended and has a successor: its spans ended with it. */
  readonly replaced: readonly string[];
}

const TRACE_ID = /^(req_)?([0-9a-f]{32})$/;

/**
 * Finds a request and all that replicas store of it: the last one where the id is that of a trace. Throws an Error with a one-line reason
 * when no replica has it.
 */
export async function findRequest(
  platform: Platform,
  wanted: TraceQuestion,
): Promise<Stored & { readonly root: TraceSpan }> {
  const [, prefix, traceId] = TRACE_ID.exec(wanted.id) ?? [];
  if (traceId !== undefined) {
    const own = prefix === undefined ? {} : { request: wanted.id };
    const stored = await ask(platform, { find: 'trace', id: traceId, ...own });
    const direct = withRequest(stored, wanted.id) ?? (prefix === undefined ? lastRequest(stored) : undefined);
    if (direct !== undefined) return direct;
  }
  // The trace of a request with an id of its caller's, or in a trace of its caller's, has another id.
  const candidates = await ask(platform, wanted);
  const [first, ...others] = candidates.spans;
  if (first === undefined) throw new Error(nothingOf(wanted, candidates));
  const measure = wanted.find === 'slowest' ? lasted : ended;
  const best = others.reduce((best, span) => (measure(span) > measure(best) ? span : best), first);
  const request = requestIdOf(best);
  const all = await ask(platform, { find: 'trace', id: best.trace_id, request });
  const found = withRequest(all, request) ?? withRequest({ ...all, spans: [...all.spans, best] }, request);
  if (found === undefined) throw new Error(nothingOf(wanted, all));
  return found;
}

/** The request id of a span; empty without one. */
export function requestIdOf({ attributes }: TraceSpan): string {
  return String(attributes['request.id'] ?? '');
}

/** Whether a span is a gateway's span of a request. */
export function isRequest({ attributes }: TraceSpan): boolean {
  return attributes['http.request.method'] !== undefined && attributes['request.id'] !== undefined;
}

const lasted = ({ started_at, ended_at }: TraceSpan) => ended_at - started_at;
const ended = ({ ended_at }: TraceSpan) => ended_at;

/** The request with this id, among what replicas store of its trace. */
function withRequest(stored: Stored, id: string): (Stored & { readonly root: TraceSpan }) | undefined {
  const root = stored.spans.find((span) => isRequest(span) && requestIdOf(span) === id);
  return root && { ...stored, root };
}

/** The last request of a trace, with a sentence when its caller made several in it. */
function lastRequest(stored: Stored): (Stored & { readonly root: TraceSpan }) | undefined {
  const requests = stored.spans.filter(isRequest).toSorted((one, other) => other.ended_at - one.ended_at);
  const [root] = requests;
  if (root === undefined) return undefined;
  const several = `The trace has ${requests.length} requests; this is the last.`;
  return { ...stored, root, gaps: requests.length > 1 ? [several, ...stored.gaps] : stored.gaps };
}

async function ask(platform: Platform, question: TraceQuestion): Promise<Stored> {
  const answers = await platform.survey(traceSurvey, { question, ...expected });
  return {
    spans: answers.flatMap(({ spans, service, replica, pid }) =>
      spans.map((span) => ({ ...span, service, replica, pid })),
    ),
    lines: answers.flatMap(({ lines }) => lines.map(logLine)).toSorted((one, other) => one.at - other.at),
    replaced: unheard(answers)
      .filter((silent) => isReplaced(silent, answers))
      .map(({ service, host, pid }) => `${service} (host ${host}, process ${pid})`),
    gaps: [
      ...unheard(answers)
        .filter((silent) => !isReplaced(silent, answers))
        .map(({ service, host, pid }) => `${service} (host ${host}, process ${pid}) does not answer.`),
      ...answers
        .filter(({ is_cut }) => is_cut)
        .map(({ service, pid }) => {
          const { spans, bytes } = traceAnswerLimits;
          return `${service} (process ${pid}) has more than ${spans} spans or ${bytes / 1024} KiB of this trace.`;
        }),
    ],
  };
}

/** Whether a replica of the same service has started since a silent one announced itself last. */
function isReplaced(
  { service, silent_ms }: ReturnType<typeof unheard>[number],
  answers: readonly TraceAnswer[],
): boolean {
  const lastHeard = Date.now() - silent_ms;
  return answers.some((answer) => answer.service === service && (answer.started_at ?? 0) > lastHeard);
}

function logLine(line: Readonly<Record<string, unknown>>): LogLine {
  const { time, level, service, msg, pid, request_id, trace_id, span_id, ...fields } = line;
  return {
    at: Date.parse(String(time)),
    service: String(service),
    pid: pid === undefined ? undefined : Number(pid),
    level: String(level),
    text: String(msg),
    span_id: span_id === undefined ? undefined : String(span_id),
    fields,
  };
}

function nothingOf({ find, id }: TraceQuestion, { lines, gaps }: Stored): string {
  if (find !== 'request') return ['No replica stores such a request.', ...gaps].join(' ');
  const written = lines.map(({ service, level, text }) => `${service}: ${level}: ${text}`);
  const logged =
    written.length === 0 ? 'no recent log line names it' : `the logs have: ${written.join('; ')}`;
  return [`No replica stores a trace of ${id}; ${logged}.`, ...gaps].join(' ');
}
