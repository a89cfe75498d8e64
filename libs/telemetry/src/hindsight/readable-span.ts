import { type Attributes, type AttributeValue, TraceFlags, type Tracer } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { monotonicEpoch } from '../clock.ts';
import type { EndedSpan } from './held-span.ts';

/** The longest text in an attribute, in characters. */
export const LONGEST_TEXT = 1_024;

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
  const epoch = monotonicEpoch();
  return {
    name,
    kind,
    spanContext: () => own,
    ...(parent !== undefined && { parentSpanContext: { ...parent, traceId, traceFlags } }),
    startTime: millisToHrTime(startedAt + epoch),
    endTime: millisToHrTime(endedAt + epoch),
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
