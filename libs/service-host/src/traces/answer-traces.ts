import { hostname } from 'node:os';
import type { Bus } from '@action-platform/bus';
import {
  type StoredSpan,
  type TraceQuestion,
  traceAnswerLimits,
  traceSurvey,
} from '@action-platform/contracts/bus';
import type { ProcessName } from '@action-platform/contracts/services';
import { type EndedSpan, storedSpan, telemetry } from '@action-platform/telemetry';
import { recentLines } from '../logging/logger.ts';
import { searched, spansOfRequest } from './search.ts';

/** Answers the operators' questions about requests with the spans and log lines that this process stores. */
export function answerTraces(service: ProcessName, bus: Bus): void {
  bus.answerSurvey(traceSurvey, async (question) => {
    const found = await spansFor(question, service);
    const logged = recentLines.about(question.request ?? question.id);
    const room = { bytes: traceAnswerLimits.bytes };
    const lines = fitting(logged, traceAnswerLimits.lines, room);
    const spans = fitting(found, traceAnswerLimits.spans, room);
    const is_cut = spans.length < found.length || lines.length < logged.length;
    const who = {
      service,
      replica: bus.replica,
      host: hostname(),
      pid: process.pid,
      started_at: performance.timeOrigin,
    };
    return { ...who, heard_of: [...bus.heardOf], spans, lines, is_cut };
  });
}

async function spansFor({ find, id, request }: TraceQuestion, service: ProcessName): Promise<StoredSpan[]> {
  const { retroactive } = telemetry();
  if (retroactive === undefined) return [];
  if (find === 'trace') {
    const choose = request === undefined ? undefined : (spans: EndedSpan[]) => spansOfRequest(spans, request);
    return retroactive.spansOf(id, choose).map(storedSpan);
  }
  // The spans of HTTP requests are in the gateways.
  if (service !== 'gateway' && find !== 'last-error') return [];
  const span = await searched(retroactive.blocks(), find, id);
  return span === undefined ? [] : [storedSpan(span)];
}

/** The first items that fit what is left of an answer. */
function fitting<Item>(items: readonly Item[], most: number, room: { bytes: number }): Item[] {
  const fit: Item[] = [];
  for (const item of items.slice(0, most)) {
    room.bytes -= Buffer.byteLength(JSON.stringify(item)) + 1;
    if (room.bytes < 0) break;
    fit.push(item);
  }
  return fit;
}
