import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ExportedSpan } from '@action-platform/telemetry';
import { escapeControls } from '../escape-controls.ts';
import { type LocalDirectory, localDirectory } from '../local-directory.ts';
import { findRequest, requestIdOf, type Wanted } from './find-request.ts';
import { asJson } from './json.ts';
import { type LogLine, readLogLines, readStore } from './read-store.ts';
import { rowsOf } from './rows.ts';
import { type SpanNode, spanTree } from './span-tree.ts';
import { waterfall } from './waterfall.ts';

const USAGE = `Usage: npm run --silent trace -- <request id | trace id | --last-error | --slowest> [--json]

Draws a request of the local stack (LOCAL_DIR): its spans in all processes, the batches it was part of, and its log lines.
--last-error is the last request that failed with 5xx, or whose 200 says failed or unknown.
`;

/** How long spans may take to be written, in milliseconds: exporters and retroactive sampling work in batches. */
const PATIENCE_MS = 4_000;
const REST_MS = 500;

/** The spans and log lines of a request. */
interface Found {
  readonly root: SpanNode;
  readonly lines: readonly LogLine[];
}

/**
 * Draws a request as text or as JSON. Throws an Error with a one-line reason when no span of it was kept.
 *
 * @param patienceMs how long after the end of a request to wait for spans that are not written yet.
 */
export async function trace(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  patienceMs = PATIENCE_MS,
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
  const { root, lines } = await find(wanted[0]!, localDirectory(environment), patienceMs);
  const rows = rowsOf(root, lines);
  return values.json ? asJson(rows) : waterfall(root, rows);
}

async function find(wanted: Wanted, directory: LocalDirectory, patienceMs: number): Promise<Found> {
  const patience = performance.now() + patienceMs;
  for (;;) {
    const spans = readStore(directory.traces);
    const request = findRequest(spans, wanted);
    const isOver = performance.now() > patience || Date.now() > Number(request?.endedAt) + patienceMs;
    if (request !== undefined && (isOver || isWhole(spans, request))) {
      const ids = [requestIdOf(request), request.traceId];
      return { root: spanTree(spans, request), lines: readLogLines(directory.logs, ids) };
    }
    if (isOver) throw new Error(escapeControls(nothingOf(wanted, directory)));
    await delay(REST_MS);
  }
}

/** Whether every span has its parent, and every bus request the span of its responder. The others may still be written. */
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
  if (typeof wanted === 'string') return `No such request is kept in ${traces}: LOCAL_DIR is ${root}.`;
  const lines = readLogLines(logs, [wanted.id, `req_${wanted.id}`, wanted.id.replace(/^req_/, '')]);
  const written = lines.map(({ service, level, text }) => `${service}: ${level}: ${text}`);
  const logged = written.length === 0 ? 'no log names it' : `the logs say: ${written.join('; ')}`;
  return `No trace of ${wanted.id} is kept in ${traces} (LOCAL_DIR is ${root}); ${logged}.`;
}
