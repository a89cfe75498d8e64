import { type Context, INVALID_TRACEID, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { ROOT_CONTEXT } from './linked-context.ts';

/**
 * W3C Trace Context, section 3.2: neither the trace id nor the parent id is all zeros. In a version later than 00 more may follow
 * (section 4.3, versioning of traceparent); ff is not a version.
 */
const TRACEPARENT =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/**
 * Whether a span context is part of a trace; the context of a non-recording span is not. The API's own check reads every digit of the ids,
 * which were validated already when they were received.
 */
export function isInTrace({ traceId }: SpanContext): boolean {
  return traceId !== INVALID_TRACEID;
}

/** Reads a `traceparent` as a remote span context; undefined when it is invalid. */
export function readTraceparent(text: string): SpanContext | undefined {
  if (!TRACEPARENT.test(text)) return undefined;
  // Section 3.2.2.5 defines no other flag.
  const traceFlags = Number.parseInt(text[54]!, 16) & TraceFlags.SAMPLED;
  return { traceId: text.slice(3, 35), spanId: text.slice(36, 52), traceFlags, isRemote: true };
}

/** Writes a span context as a `traceparent`. */
export function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
}

/** The attribute of a request's span: whether its trace is kept although it did not fail, or not kept although it took long. */
export const KEEP_TRACE = 'trace.keep';

let isTracing = false;

/** Makes `contextOf` continue the traces of other processes from now on. */
export function startTracing(): void {
  isTracing = true;
}

/**
 * The context of a message with a `traceparent` from another process of the platform; the root context when it is invalid or this process
 * makes no spans. `tracestate` and `baggage` are ignored: they come from callers and would reach every service.
 */
export function contextOf(traceparent: string): Context {
  const remote = isTracing ? readTraceparent(traceparent) : undefined;
  return remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
}
