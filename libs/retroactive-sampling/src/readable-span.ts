import { type Attributes, type AttributeValue, TraceFlags, type Tracer } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { monotonicEpoch } from './clock.ts';
import type { EndedSpan } from './light-span.ts';

/** The longest text of an attribute, in characters; longer ones are cut. */
export const LONGEST_TEXT = 1_024;

/** The properties that all spans of a tracer share. */
type Origin = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

const origins = new WeakMap<Tracer, Origin>();

/** An ended span as exporters read it: the same as the SDK would have made, limits included. */
export function readableSpan({
  tracer,
  name,
  kind,
  context: { traceId, spanId },
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

/** The resource and scope of a tracer, read once from a span of the SDK. */
function originOf(tracer: Tracer): Origin {
  let origin = origins.get(tracer);
  if (origin === undefined) {
    // This span never ends, so it is not exported.
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
