import type { StoredSpan } from '@action-platform/contracts/bus';
import { type AttributeValue, SpanStatusCode } from '@opentelemetry/api';
import { monotonicEpoch } from './retroactive-sampling/clock.ts';
import type { EndedSpan } from './retroactive-sampling/light-span.ts';

/** How many links a span may have: as many as there are requests in a large batch. */
export const MOST_LINKS = 1_024;
/** The longest text of an attribute, in characters; longer ones are cut. */
export const LONGEST_TEXT = 1_024;

/** A span of the ring buffers as `admin trace` shows it, with times since the epoch. */
export function storedSpan(span: EndedSpan): StoredSpan {
  const epoch = monotonicEpoch();
  const attributes = Object.entries({ ...span.given, ...span.added });
  return {
    trace_id: span.context.traceId,
    span_id: span.context.spanId,
    parent_span_id: span.parent?.spanId ?? '',
    name: span.name.slice(0, LONGEST_TEXT),
    started_at: span.startedAt + epoch,
    ended_at: span.endedAt + epoch,
    is_error: span.status === SpanStatusCode.ERROR,
    attributes: Object.fromEntries(attributes.map(([key, value]) => [key, shown(value)])),
    links: span.links.slice(0, MOST_LINKS).map((link) => link.context.spanId),
  };
}

function shown(value: AttributeValue | undefined): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return String(value).slice(0, LONGEST_TEXT);
}
