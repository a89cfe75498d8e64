import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import { monotonicEpoch } from './clock.ts';
import type { EndedSpan } from './light-span.ts';

/**
 * Exports ended spans by making them again with the SDK, which applies its limits and passes them to its span processors. `Replay` is the
 * SDK's generator of ids, so each span keeps its own.
 */
export class Replay implements IdGenerator {
  #ids: EndedSpan['context'] = INVALID_SPAN_CONTEXT;

  generateTraceId(): string {
    return this.#ids.traceId;
  }

  generateSpanId(): string {
    return this.#ids.spanId;
  }

  /** Makes a span again, and ends it. */
  export(ended: EndedSpan): void {
    const { tracer, context, parent, given, added, links } = ended;
    this.#ids = context;
    const parentContext = { ...parent!, traceId: context.traceId, traceFlags: TraceFlags.SAMPLED };
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext);
    const epoch = monotonicEpoch();
    const startTime = millisToHrTime(ended.startedAt + epoch);
    const options = { kind: ended.kind, attributes: { ...given, ...added }, links: [...links], startTime };
    const span = tracer.startSpan(ended.name, options, within).setStatus({ code: ended.status });
    span.end(millisToHrTime(ended.endedAt + epoch));
  }
}
