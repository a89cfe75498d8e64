import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { KEEP_TRACE } from '../keep-trace.ts';
import type { Hindsight } from './hindsight.ts';
import { holding } from './test-support/holding.ts';

let exported: ReadableSpan[];
let hindsight: Hindsight;
let tracer: Tracer;
/** The ids of traces that others were told of. */
let told: string[];

beforeEach(() => {
  exported = [];
  told = [];
  const held = holding(1_048_576, (span) => exported.push(span));
  ({ hindsight } = held);
  hindsight.announcements.through((traceIds) => told.push(...traceIds), 100);
  tracer = held.provider.getTracer('test');
});

/** A request that is being answered. */
function request(startTime?: number): Span {
  return tracer.startSpan('request', { kind: SpanKind.SERVER, root: true, ...(startTime && { startTime }) });
}

/** Work that is part of another, in the same process. */
function within(parent: Span, name = 'work'): Span {
  return tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent));
}

/** The names of what was exported, once what has ended was seen to. */
function names(): string[] {
  hindsight.flush();
  return exported.map(({ name }) => name).sort();
}

const fail = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR });
const idOf = (span: Span) => span.spanContext().traceId;

describe('what is sampled', () => {
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };
  const sampled = () => tracer.startSpan('sampled', {}, trace.setSpanContext(ROOT_CONTEXT, parent));

  test('is exported when many have ended', () => {
    for (let i = 0; i < 100; i++) sampled().end();
    expect(exported.length).toBeGreaterThan(50);
    expect(new Set(names())).toEqual(new Set(['sampled']));
    expect(exported).toHaveLength(100);
  });

  test('is exported soon when nothing else ends', async () => {
    const within = sampled();
    within.end();
    expect(exported).toEqual([]);
    while (exported.length === 0) await new Promise(setImmediate);
    expect(exported[0]!.spanContext()).toMatchObject(within.spanContext());
  });

  test('is told to nobody when it fails: all export it already', () => {
    const span = tracer.startSpan(
      'request',
      { kind: SpanKind.SERVER },
      trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }),
    );
    fail(span).end();
    hindsight.announcements.flush();
    expect([names(), told]).toEqual([['request'], []]);
  });
});

describe('what is not sampled', () => {
  test('is kept to itself when it goes well', () => {
    const span = request();
    within(span).end();
    span.end();
    hindsight.announcements.flush();
    expect([exported, told]).toEqual([[], []]);
  });

  test.each([
    ['fails', () => fail(request())],
    ['is refused in a way that is marked', () => request().setAttribute(KEEP_TRACE, true)],
    ['is slow', () => request(Date.now() - 1_100)],
  ])('is exported when its request %s, and others are told', (_how, make) => {
    const span = make();
    within(span).end();
    span.end();
    hindsight.announcements.flush();
    expect(names()).toEqual(['request', 'work']);
    expect(exported.every((each) => each.spanContext().traceFlags === TraceFlags.SAMPLED)).toBe(true);
    expect(told).toEqual([idOf(span)]);
  });

  test('is exported when another process says so, also what ends later; nobody is told again', () => {
    const span = request();
    within(span, 'earlier').end();
    hindsight.hear([idOf(span)]);
    within(span, 'later').end();
    fail(span).end();
    hindsight.announcements.flush();
    expect(names()).toEqual(['earlier', 'later', 'request']);
    expect(told).toEqual([]);
  });

  test('comes with the batch that it was part of, and not with the others in that', () => {
    const [span, other] = [request(), request()];
    const waiting = [span, other].map((each) => within(each, 'batched'));
    const links = waiting.map((each) => ({ context: each.spanContext() }));
    const batch = tracer.startSpan('batch', { root: true, links });
    within(batch, 'find').end();
    batch.end();
    for (const each of waiting) each.addLink({ context: batch.spanContext() }).end();
    other.end();
    fail(span).end();
    expect(names()).toEqual(['batch', 'batched', 'find', 'request']);
  });

  test('degrades to a part of the failures in a flood of them, and says how many were not kept', () => {
    for (let i = 0; i < 1_000; i++) fail(request()).end();
    expect(exported.length).toBeGreaterThanOrEqual(100);
    expect(exported.length).toBeLessThan(200);
    expect(hindsight.counts).toEqual({ kept: exported.length, dropped: 1_000 - exported.length });
  });

  test('is bounded for each trace: many requests may have been given the same', () => {
    const first = request();
    for (let i = 0; i < 3_000; i++) within(first).end();
    hindsight.hear([idOf(first)]);
    expect(exported).toHaveLength(1_000);
  });
});
