import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Attributes, type Link, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { SpanRing } from './span-ring.ts';

const newTraceId = () => randomBytes(16).toString('hex');
const resource = emptyResource();
const instrumentationScope = { name: 'test' };

/** A place in a trace, as it is when it is exported. */
function placeIn(traceId: string) {
  return { traceId, spanId: randomBytes(8).toString('hex'), traceFlags: TraceFlags.SAMPLED };
}

/** A span that has ended. */
function ended(traceId: string, attributes: Attributes = {}, rest: Partial<ReadableSpan> = {}): ReadableSpan {
  const place = placeIn(traceId);
  return {
    name: 'some work',
    kind: SpanKind.SERVER,
    spanContext: () => place,
    startTime: [1_800_000_000, 999_999_999],
    endTime: [1_800_000_001, 1],
    duration: [0, 2],
    status: { code: SpanStatusCode.UNSET },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    ...rest,
  };
}

/** What a span says, with its place. */
const said = (spans: readonly ReadableSpan[]) =>
  spans.map((span) => ({ ...span, spanContext: span.spanContext() }));

describe('the ring of spans', () => {
  test('gives back what was put in, as it was', () => {
    const ring = new SpanRing(65_536, 30_000);
    const traceId = newTraceId();
    const plain = ended(traceId, {}, { parentSpanContext: placeIn(traceId) });
    const links: Link[] = [{ context: placeIn(newTraceId()) }, { context: placeIn(newTraceId()) }];
    const attributes = { 'request.id': 'größer ✓ a=b:c', count: 3, 'is.so': true, empty: '' };
    const rich = ended(traceId, attributes, { links, status: { code: SpanStatusCode.ERROR } });
    for (const span of [plain, rich, ended(newTraceId())]) ring.add(span);
    expect(said(ring.find(traceId, 10))).toEqual(said([rich, plain]));
    expect(ring.find(traceId, 1)).toHaveLength(1);
    expect(ring.find(newTraceId(), 10)).toEqual([]);
  });

  test('takes what would look like its own marks out of a value', () => {
    const ring = new SpanRing(65_536, 30_000);
    const traceId = newTraceId();
    ring.add(ended(traceId, { one: 'a\u001etwo=b\u001fc', last: 'd' }));
    expect(ring.find(traceId, 10)[0]?.attributes).toEqual({ one: 'atwo=bc', last: 'd' });
  });

  test('has room for the last ones, however many come and however large they are', () => {
    const ring = new SpanRing(65_536, 30_000);
    const traceIds = Array.from({ length: 5_000 }, newTraceId);
    for (const [index, traceId] of traceIds.entries())
      ring.add(ended(traceId, { text: 'x'.repeat(index % 700) }));
    const found = traceIds.map((traceId) => ring.find(traceId, 10).length);
    const first = found.indexOf(1);
    expect(first).toBeGreaterThan(4_700);
    expect(first).toBeLessThan(4_990);
    expect(found.slice(first).every((count) => count === 1)).toBe(true);
  });

  test('forgets what is older than it is to be', () => {
    const ring = new SpanRing(65_536, -1);
    const traceId = newTraceId();
    ring.add(ended(traceId));
    expect(ring.find(traceId, 10)).toEqual([]);
  });

  test('leaves out what is too large, and nothing else', () => {
    const ring = new SpanRing(262_144, 30_000);
    const traceId = newTraceId();
    ring.add(ended(traceId));
    ring.add(ended(traceId, { text: 'x'.repeat(100_000) }));
    expect(ring.find(traceId, 10)).toHaveLength(1);
  });
});
