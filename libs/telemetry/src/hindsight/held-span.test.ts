import { describe, expect, jest, test } from '@jest/globals';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { holding } from './test-support/holding.ts';

/** What somebody tells a span. */
type Told = (span: Span) => void;

const place = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.NONE };
const text = fc
  .string({ unit: fc.constantFrom('a', 'ö', '✓', '=', ':'), maxLength: 20 })
  .chain((some) => fc.constantFrom(some, some.repeat(100)));
const value = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.array(text, { maxLength: 2 }),
);
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(
  fc.constantFrom('one', 'two', 'three.four'),
  value,
);
const links = fc.array(
  fc.boolean().map((isRemote) => ({ context: { ...place, ...(isRemote && { isRemote }) } })),
  { maxLength: 2 },
);
const told: fc.Arbitrary<Told> = fc.oneof(
  attributes.map(
    (set): Told =>
      (span) =>
        span.setAttributes(set),
  ),
  value.map(
    (set): Told =>
      (span) =>
        span.setAttribute('one', set),
  ),
  links.map(
    (more): Told =>
      (span) =>
        span.addLinks(more),
  ),
  fc.constantFrom(...[0, 1, 2]).map(
    (code): Told =>
      (span) =>
        span.setStatus({ code }),
  ),
  fc.constant<Told>((span) => span.updateName('renamed')),
  fc.constant<Told>((span) => span.end()),
);
const parent = fc.constantFrom(undefined, true, false);
const kind = fc.constantFrom(undefined, SpanKind.CLIENT, SpanKind.INTERNAL);
const options = fc
  .record({ kind, attributes, links }, { requiredKeys: [] })
  .map(({ kind: chosen, ...rest }) => ({ ...rest, ...(chosen !== undefined && { kind: chosen }) }));

/** Begins a span, with a parent in this process or another or with none, tells it what it is to be told, and ends it. */
function run(
  tracer: Tracer,
  given: SpanOptions,
  isRemote: boolean | undefined,
  all: readonly Told[],
  traceFlags: number,
): Span {
  const within =
    isRemote === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...place, traceFlags, isRemote });
  const span = tracer.startSpan('work', given, within);
  for (const each of all) each(span);
  span.end();
  return span;
}

/** What is exported of a span, but its own ids and its time. Links lead to what is exported with it, so their flags are not compared. */
function said({
  kind: of,
  attributes: all,
  status: { code },
  parentSpanContext,
  links: linked,
  droppedAttributesCount,
  droppedLinksCount,
  ...span
}: ReadableSpan) {
  const { name, resource, instrumentationScope, events } = span;
  const places = linked.map(({ context: { traceFlags: _, ...at }, ...rest }) => ({ at, ...rest }));
  const about = { resource, instrumentationScope, events, droppedAttributesCount, droppedLinksCount };
  return { name, of, all, code, parentSpanContext, places, ...about };
}

describe('a span that is held', () => {
  test('is exported as the SDK would have exported it', () => {
    fc.assert(
      fc.property(
        options,
        parent,
        fc.constantFrom(0, 1),
        fc.array(told, { maxLength: 5 }),
        (given, isRemote, flags, all) => {
          const exported: ReadableSpan[] = [];
          const { sdk, provider, hindsight } = holding(65_536, (span) => exported.push(span));
          const begun = Date.now();
          run(sdk.getTracer('test'), given, isRemote, all, 1);
          const span = run(provider.getTracer('test'), given, isRemote, all, flags);
          expect(exported).toHaveLength(1);
          hindsight.flush();
          hindsight.hear([span.spanContext().traceId]);
          const [expected, held] = exported as [ReadableSpan, ReadableSpan];
          expect(said(held)).toEqual(said(expected));
          expect(held.spanContext()).toMatchObject({
            traceFlags: 1,
            spanId: span.spanContext().spanId,
            traceId: span.spanContext().traceId,
          });
          const startedAt = held.startTime[0] * 1e3 + held.startTime[1] / 1e6;
          expect(startedAt).toBeGreaterThan(begun - 5);
          expect(startedAt).toBeLessThan(Date.now() + 5);
        },
      ),
    );
  });

  test('says when it began, also when that is long ago, and how long it took', () => {
    const exported: ReadableSpan[] = [];
    const { provider } = holding(65_536, (span) => exported.push(span));
    const startTime = Date.now() - 1_500;
    const span = provider.getTracer('test').startSpan('work', { kind: SpanKind.SERVER, startTime });
    span.setStatus({ code: SpanStatusCode.ERROR }).end(startTime + 250);
    const [{ duration, startTime: said }] = exported as [ReadableSpan];
    expect(Math.abs(said[0] * 1e3 + said[1] / 1e6 - startTime)).toBeLessThan(5);
    expect(Math.abs(duration[0] * 1e3 + duration[1] / 1e6 - 250)).toBeLessThan(5);
  });

  test('says when it began as it was told, also when the clock is not quite what it was', () => {
    const exported: ReadableSpan[] = [];
    const { provider, hindsight } = holding(65_536, (span) => exported.push(span));
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 50);
    const startTime = Date.now() - 1_500;
    const span = provider.getTracer('test').startSpan('work', { kind: SpanKind.SERVER, startTime });
    span.end();
    hindsight.flush();
    clock.mockRestore();
    const [{ startTime: said }] = exported as [ReadableSpan];
    expect(Math.abs(said[0] * 1e3 + said[1] / 1e6 - startTime)).toBeLessThan(5);
  });

  test('does what it is in within it', () => {
    const { provider } = holding(65_536, () => {});
    const tracer = provider.getTracer('test');
    const outer = tracer.startSpan('outer');
    const result = tracer.startActiveSpan('inner', {}, trace.setSpan(ROOT_CONTEXT, outer), (span) => {
      expect(span.isRecording()).toBe(true);
      span.end();
      expect(span.isRecording()).toBe(false);
      return span.spanContext().traceId;
    });
    expect(result).toBe(outer.spanContext().traceId);
  });
});
