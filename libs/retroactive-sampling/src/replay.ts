import { INVALID_SPAN_CONTEXT, ROOT_CONTEXT, TraceFlags, trace } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { IdGenerator } from '@opentelemetry/sdk-trace';
import { monotonicEpoch } from './clock.ts';
import type { EndedSpan } from './light-span.ts';

/**
 * Exports ended spans by making them again with the SDK, which applies its limits and passes them to its span processors. It is the SDK's
 * generator of ids, so each span keeps its own.
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
  export({
    tracer,
    name,
    kind,
    context,
    parent,
    startedAt,
    endedAt,
    status,
    given,
    added,
    links,
  }: EndedSpan) {
    this.#ids = context;
    const parentContext = { ...parent!, traceId: context.traceId, traceFlags: TraceFlags.SAMPLED };
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext);
    const epoch = monotonicEpoch();
    const startTime = millisToHrTime(startedAt + epoch);
    const options = { kind, attributes: { ...given, ...added }, links: [...links], startTime };
    const span = tracer.startSpan(name, options, within).setStatus({ code: status });
    span.end(millisToHrTime(endedAt + epoch));
  }
}
