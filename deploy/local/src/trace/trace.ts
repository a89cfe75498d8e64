import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ExportedSpan } from '@action-platform/telemetry';
import { escapeControls } from '../escape-controls.ts';
import { type LocalDirectory, localDirectory } from '../local-directory.ts';
import { findRequest, requestIdOf, type Wanted } from './find-request.ts';
import { asJson } from './json.ts';
import { readEvents } from './read-events.ts';
import { type LogLine, readLogLines, readStore } from './read-store.ts';
import { rowsOf } from './rows.ts';
import { type SpanNode, spanTree } from './span-tree.ts';
import { waterfall } from './waterfall.ts';

const USAGE = `Usage: npm run --silent trace -- <request id | trace id | --last-error | --slowest> [--json]

Draws a request of the local stack (LOCAL_DIR): its spans in all processes, the batches it was part of, its log lines, and its change events.
--last-error finds the last request that failed with 5xx, or whose 200 reports a failed or unknown outcome.
`;

/** The longest time until a span is written, in milliseconds: exporters and retroactive sampling work in batches. */
const LONGEST_WAIT_MS = 4_000;
const POLL_MS = 500;

/** The spans and log lines of a request. */
interface Found {
  readonly root: SpanNode;
  readonly lines: readonly LogLine[];
}

/**
 * Draws a request as text or as JSON. Throws an Error with a one-line reason when the trace files do not have the request.
 *
 * @param waitMs the longest wait after the end of a request for spans that are not written yet, in milliseconds.
 */
export async function trace(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  waitMs = LONGEST_WAIT_MS,
): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'last-error': { type: 'boolean' },
      slowest: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const wanted: Wanted[] = [
    ...positionals.map((id) => ({ id })),
    ...(values['last-error'] ? (['last-error'] as const) : []),
    ...(values.slowest ? (['slowest'] as const) : []),
  ];
  if (values.help || wanted.length !== 1) return USAGE;
  const { root, lines } = await find(wanted[0]!, localDirectory(environment), waitMs);
  const rows = rowsOf(root, lines);
  return values.json ? asJson(rows) : waterfall(root, rows);
}

async function find(wanted: Wanted, directory: LocalDirectory, waitMs: number): Promise<Found> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const spans = readStore(directory.traces);
    const request = findRequest(spans, wanted);
    const isOver = performance.now() > deadline || Date.now() > Number(request?.endedAt) + waitMs;
    if (request !== undefined && (isOver || isWhole(spans, request))) {
      const ids = [requestIdOf(request), request.traceId];
      const events = await readEvents(directory, { requestId: ids[0]!, since: request.startedAt });
      return { root: spanTree(spans, request), lines: [...readLogLines(directory.logs, ids), ...events] };
    }
    if (isOver) throw new Error(escapeControls(nothingOf(wanted, directory)));
    await delay(POLL_MS);
  }
}

/** Whether every span has its parent, and every bus request the span of its responder; otherwise spans may still be missing. */
function isWhole(spans: readonly ExportedSpan[], request: ExportedSpan): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const parents = new Set(spans.map(({ parentSpanId }) => parentSpanId));
  return spans
    .filter((span) => span !== request && span.traceId === request.traceId)
    .every(
      ({ spanId, parentSpanId, attributes }) =>
        ids.has(parentSpanId) &&
        (attributes['messaging.operation.name'] !== 'request' || parents.has(spanId)),
    );
}

function nothingOf(wanted: Wanted, { root, traces, logs }: LocalDirectory): string {
  if (typeof wanted === 'string') return `${traces} has no such request: LOCAL_DIR is ${root}.`;
  const lines = readLogLines(logs, [wanted.id, `req_${wanted.id}`, wanted.id.replace(/^req_/, '')]);
  const written = lines.map(({ service, level, text }) => `${service}: ${level}: ${text}`);
  const logged = written.length === 0 ? 'no log names it' : `the logs have: ${written.join('; ')}`;
  return `${traces} has no trace of ${wanted.id} (LOCAL_DIR is ${root}); ${logged}.`;
}
