import { beforeEach, describe, expect, jest, test } from '@jest/globals';
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
import { providers } from './test-support/providers.ts';
import type { RetroactiveTracerProvider } from './tracer-provider.ts';

let exported: ReadableSpan[];
let provider: RetroactiveTracerProvider;
let tracer: Tracer;
/** The ids of the traces that were announced. */
let announced: string[];

beforeEach(() => {
  exported = [];
  announced = [];
  ({ provider } = providers(1_048_576, (span) => exported.push(span)));
  provider.onKeep((traceIds) => announced.push(...traceIds), 100);
  tracer = provider.getTracer('test');
});

/** The span of an incoming request. */
function request(startTime?: number): Span {
  return tracer.startSpan('request', { kind: SpanKind.SERVER, root: true, ...(startTime && { startTime }) });
}

/** A child span in the same process. */
function within(parent: Span, name = 'work'): Span {
  return tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, parent));
}

/** The names of the exported spans, after a flush. */
function names(): string[] {
  provider.flush();
  return exported.map(({ name }) => name).sort();
}

const fail = (span: Span) => span.setStatus({ code: SpanStatusCode.ERROR });
const idOf = (span: Span) => span.spanContext().traceId;

describe('a sampled span', () => {
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };
  const sampled = () => tracer.startSpan('sampled', {}, trace.setSpanContext(ROOT_CONTEXT, parent));

  test('is exported when many have ended', () => {
    for (let i = 0; i < 100; i++) sampled().end();
    expect(exported.length).toBeGreaterThan(50);
    expect(new Set(names())).toEqual(new Set(['sampled']));
    expect(exported).toHaveLength(100);
  });

  test('is exported after a short time when no other span ends', async () => {
    const span = sampled();
    span.end();
    expect(exported).toEqual([]);
    while (exported.length === 0) await new Promise(setImmediate);
    expect(exported[0]!.spanContext()).toMatchObject(span.spanContext());
  });

  test('is exported once and announced when it fails, so that all processes store its trace for longer', () => {
    const span = tracer.startSpan(
      'request',
      { kind: SpanKind.SERVER },
      trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }),
    );
    within(span).end();
    fail(span).end();
    expect([names(), announced]).toEqual([['request', 'work'], [parent.traceId]]);
  });
});

describe('an unsampled trace', () => {
  test('is neither exported nor announced when its request succeeds', () => {
    const span = request();
    within(span).end();
    span.end();
    provider.flush();
    expect([exported, announced]).toEqual([[], []]);
  });

  test.each([
    ['fails', () => fail(request())],
    ['has the keep attribute', () => request().setAttribute('keep.it', true)],
    ['is slow', () => request(Date.now() - 1_100)],
  ])('is exported and announced when its request %s', (_how, make) => {
    const span = make();
    within(span).end();
    span.end();
    expect(names()).toEqual(['request', 'work']);
    expect(exported.every((each) => each.spanContext().traceFlags === TraceFlags.SAMPLED)).toBe(true);
    expect(announced).toEqual([idOf(span)]);
  });

  test('is exported when another process announces it, with the spans that end later, and not announced again', () => {
    const span = request();
    within(span, 'earlier').end();
    provider.keep([idOf(span)]);
    within(span, 'later').end();
    fail(span).end();
    expect(names()).toEqual(['earlier', 'later', 'request']);
    expect(announced).toEqual([]);
  });

  test('is exported with the batch it was part of, without the other requests in that batch', () => {
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

  test('is kept for a part of the failures in a flood of them, and the dropped traces are counted', () => {
    for (let i = 0; i < 1_000; i++) fail(request()).end();
    expect(exported.length).toBeGreaterThanOrEqual(100);
    expect(exported.length).toBeLessThan(200);
    expect(provider.counts).toEqual({ kept: exported.length, dropped: 1_000 - exported.length });
  });

  test('exports a bounded number of spans: callers may give many requests one trace id', () => {
    const first = request();
    for (let i = 0; i < 3_000; i++) within(first).end();
    provider.keep([idOf(first)]);
    expect(exported).toHaveLength(500);
    for (let i = 0; i < 3_000; i++) within(first).end();
    provider.flush();
    expect(exported).toHaveLength(1_000);
  });
});

describe('a trace with many requests, such as all calls of a job', () => {
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.NONE };
  /** A request of the job, with this number of spans in it. */
  function call(name: string, spans: number): Span {
    const context = trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, context);
    for (let i = 0; i < spans; i++) within(span).end();
    return span;
  }
  const failures = () => names().filter((name) => name.startsWith('failed'));

  test('has each of its failures exported and announced, or counted as dropped', () => {
    for (let i = 0; i < 150; i++) {
      fail(call(`failed ${i}`, 1_000)).end();
      call('successful', 100).end();
    }
    const { kept, dropped } = provider.counts;
    expect([failures().length, announced.length, kept + dropped]).toEqual([kept, kept, 150]);
    expect(kept).toBeGreaterThanOrEqual(100);
    const ids = exported.map((span) => span.spanContext().spanId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has another failure exported whole after another process announced the trace anew', () => {
    provider.keep([parent.traceId]);
    for (let i = 0; i < 20; i++) call('successful', 100).end();
    const failed = call('failed here alone', 10);
    provider.keep([parent.traceId]);
    failed.end();
    expect(failures()).toEqual(['failed here alone']);
  });

  test('is forgotten half a minute after its failure: later spans are stored as those of any trace', () => {
    const now = jest.spyOn(performance, 'now');
    fail(call('failed', 0)).end();
    expect(names()).toEqual(['failed']);
    now.mockReturnValue(performance.now() + 30_001);
    call('successful', 10).end();
    expect(names()).toEqual(['failed']);
    expect(provider.spansOf(parent.traceId).map(({ name }) => name)).toContain('successful');
    now.mockRestore();
  });
});

describe('the stored spans', () => {
  const namesOf = (traceId: string) =>
    provider
      .spansOf(traceId)
      .map(({ name }) => name)
      .sort();

  test('of a failed request outlive those of very many successful ones', () => {
    const [failed, successful] = [request(), request()];
    for (const span of [failed, successful]) within(span).end();
    fail(failed).end();
    successful.end();
    for (let i = 0; i < 20_000; i++) request().end();
    expect(namesOf(idOf(failed))).toEqual(['request', 'work']);
    expect(namesOf(idOf(successful))).toEqual([]);
    const [newest] = provider.blocks();
    expect(newest!.map(({ name }) => name)).toContain('request');
  });
});
