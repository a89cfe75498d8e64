import { type Attributes, type AttributeValue, TraceFlags, type Tracer } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { EndedSpan } from './held-span.ts';

/** The longest text in an attribute, in characters. */
export const LONGEST_TEXT = 1_024;

/** By how much the machine's clock is off, in milliseconds, when it was set and not only corrected. */
const CLOCK_SET_MS = 100;

/** What is the same for all spans of a tracer. */
type Origin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

const origins = new WeakMap<Tracer, Origin>();

/** A span as exporters read it: what the SDK would have made of it, limits included, at a fraction of the cost. */
export function readableSpan({
  tracer,
  name,
  kind,
  place: { traceId, spanId },
  parent,
  startedAt,
  endedAt,
  status,
  given,
  added,
  links,
}: EndedSpan): ReadableSpan {
  const { resource, instrumentationScope } = originOf(tracer);
  const traceFlags = TraceFlags.SAMPLED;
  const own = { traceId, spanId, traceFlags };
  const monotonicEpoch = epoch();
  return {
    name,
    kind,
    spanContext: () => own,
    ...(parent !== undefined && { parentSpanContext: { ...parent, traceId, traceFlags } }),
    startTime: millisToHrTime(startedAt + monotonicEpoch),
    endTime: millisToHrTime(endedAt + monotonicEpoch),
    duration: millisToHrTime(endedAt - startedAt),
    status: { code: status },
    attributes: withinLimits({ ...given, ...added }),
    links: [...links],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/**
 * When the monotonic clock was 0, in milliseconds since the epoch. As it was when the process began: `Date.now()` has no parts of a
 * millisecond, and with it each span would be off by another one. When the machine's clock was set meanwhile, as that says: smaller
 * corrections are made by letting both clocks run faster or slower.
 */
function epoch(): number {
  const now = Date.now() - performance.now();
  return Math.abs(now - performance.timeOrigin) < CLOCK_SET_MS ? performance.timeOrigin : now;
}

/** What the SDK says of each span of a tracer; it is asked once. */
function originOf(tracer: Tracer): Origin {
  let origin = origins.get(tracer);
  if (origin === undefined) {
    // Spans of the SDK are readable; this one never ends, so it is not exported.
    const { resource, instrumentationScope } = tracer.startSpan('origin') as unknown as ReadableSpan;
    origin = { resource, instrumentationScope };
    origins.set(tracer, origin);
  }
  return origin;
}

function withinLimits(attributes: Attributes): Attributes {
  for (const name in attributes) {
    const value = attributes[name]!;
    if (typeof value === 'string' ? value.length > LONGEST_TEXT : Array.isArray(value))
      attributes[name] = shortened(value);
  }
  return attributes;
}

function shortened(value: AttributeValue): AttributeValue {
  if (Array.isArray(value)) return value.map(shortened) as AttributeValue;
  return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : value;
}
