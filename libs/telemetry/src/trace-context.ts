import {
  type Context,
  INVALID_TRACEID,
  type SpanContext,
  type TextMapGetter,
  type TextMapPropagator,
  type TextMapSetter,
  TraceFlags,
  trace,
} from '@opentelemetry/api';

const TRACEPARENT = 'traceparent';
/**
 * W3C Trace Context, section 3.2: neither the trace id nor the parent id is all zeros. In a version later than 00 more may follow
 * (section 4.3, versioning of traceparent); ff is none.
 */
const PLACE = /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Whether a place is one in a trace; that of a span which nobody makes is not. What the API has for this looks at every digit, and there are
 * no ids but those that were looked at when they came in.
 */
export function isInTrace({ traceId }: SpanContext): boolean {
  return traceId !== INVALID_TRACEID;
}

/** The place in a trace that a `traceparent` names, which is elsewhere; undefined when it names none. */
export function readTraceparent(text: string): SpanContext | undefined {
  if (!PLACE.test(text)) return undefined;
  // Of the flags only this one is known.
  const traceFlags = Number.parseInt(text[54]!, 16) & TraceFlags.SAMPLED;
  return { traceId: text.slice(3, 35), spanId: text.slice(36, 52), traceFlags, isRemote: true };
}

/** The `traceparent` that names a place in a trace. */
export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/**
 * Carries the place in a trace from one process of the platform to another. Nothing else comes with it: whatever `tracestate` and
 * `baggage` say is a caller's, and would go on to every service.
 */
export class TraceContextPropagator implements TextMapPropagator {
  inject<Carrier>(within: Context, carrier: Carrier, setter: TextMapSetter<Carrier>): void {
    const place = trace.getSpanContext(within);
    if (place !== undefined && isInTrace(place)) setter.set(carrier, TRACEPARENT, toTraceparent(place));
  }

  extract<Carrier>(within: Context, carrier: Carrier, getter: TextMapGetter<Carrier>): Context {
    const place = readTraceparent(String(getter.get(carrier, TRACEPARENT) ?? ''));
    return place === undefined ? within : trace.setSpanContext(within, place);
  }

  fields(): string[] {
    return [TRACEPARENT];
  }
}
