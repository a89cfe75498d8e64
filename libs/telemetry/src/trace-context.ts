import { type Context, INVALID_TRACEID, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { ROOT_CONTEXT } from './linked-context.ts';

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

let isTracing = false;

/** From now on what comes from elsewhere goes on in its trace: there are spans. */
export function startTracing(): void {
  isTracing = true;
}

/**
 * The context of what comes with a `traceparent` from another process of the platform; outside of every trace when it names none, or nobody
 * traces. Nothing else comes with it: whatever `tracestate` and `baggage` say is a caller's, and would go on to every service.
 */
export function contextOf(traceparent: string): Context {
  const place = isTracing ? readTraceparent(traceparent) : undefined;
  return place === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, place);
}
