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
import { CLOCK_SET_MS } from './clock.ts';
import { providers } from './test-support/providers.ts';

/** One change of a span: a method, and its arguments. */
type Change = [keyof Span, ...unknown[]];

const remote = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.NONE };
const text = fc
  .string({ unit: fc.constantFrom('a', 'ö', '✓', '=', ':', '"', '\n', '\u0000', '\u001e'), maxLength: 20 })
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
  fc.boolean().map((isRemote) => ({ context: { ...remote, ...(isRemote && { isRemote }) } })),
  { maxLength: 2 },
);
const change = fc.oneof(
  fc.tuple(fc.constant('setAttributes'), attributes),
  fc.tuple(fc.constant('setAttribute'), fc.constant('one'), value),
  fc.tuple(fc.constant('addLinks'), links),
  fc.tuple(
    fc.constant('setStatus'),
    fc.nat(2).map((code) => ({ code })),
  ),
  fc.constantFrom(['updateName', 'renamed'], ['end']),
) as fc.Arbitrary<Change>;
const parent = fc.constantFrom(undefined, true, false);
const kind = fc.constantFrom(undefined, SpanKind.CLIENT, SpanKind.INTERNAL);
const options = fc
  .record({ kind, attributes, links }, { requiredKeys: [] })
  .map(({ kind: chosen, ...rest }) => ({ ...rest, ...(chosen !== undefined && { kind: chosen }) }));

/** Begins a span, with a parent in this process, in another one or without, makes the changes, and ends it. */
function run(
  tracer: Tracer,
  given: SpanOptions,
  isRemote: boolean | undefined,
  all: readonly Change[],
  traceFlags: number,
): Span {
  const within =
    isRemote === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceFlags, isRemote });
  const span = tracer.startSpan('work', given, within);
  for (const [method, ...args] of all) Reflect.apply(span[method], span, args);
  span.end();
  return span;
}

/** An exported span without its own ids and its times. The flags of links are left out, as linked traces are exported too. */
function comparable({
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
  const linkedTo = linked.map(({ context: { traceFlags: _, ...at }, ...rest }) => ({ at, ...rest }));
  const about = { resource, instrumentationScope, events, droppedAttributesCount, droppedLinksCount };
  return { name, of, all, code, parentSpanContext, linkedTo, ...about };
}

describe('a light span', () => {
  test('is exported as the SDK would have exported it', () => {
    fc.assert(
      fc.property(
        options,
        parent,
        fc.constantFrom(0, 1),
        fc.array(change, { maxLength: 5 }),
        (given, isRemote, flags, all) => {
          const exported: ReadableSpan[] = [];
          const { sdk, provider } = providers(65_536, (span) => exported.push(span));
          const begun = Date.now();
          run(sdk.getTracer('test'), given, isRemote, all, 1);
          const span = run(provider.getTracer('test'), given, isRemote, all, flags);
          expect(exported).toHaveLength(1);
          provider.flush();
          provider.keep([span.spanContext().traceId]);
          const [expected, light] = exported as [ReadableSpan, ReadableSpan];
          expect(comparable(light)).toEqual(comparable(expected));
          expect(light.spanContext()).toMatchObject({
            traceFlags: 1,
            spanId: span.spanContext().spanId,
            traceId: span.spanContext().traceId,
          });
          const startedAt = light.startTime[0] * 1e3 + light.startTime[1] / 1e6;
          expect(startedAt).toBeGreaterThan(begun - CLOCK_SET_MS - 5);
          expect(startedAt).toBeLessThan(Date.now() + CLOCK_SET_MS + 5);
        },
      ),
    );
  });

  test('has the start time it was given and the duration from it, also when the clock was corrected since', () => {
    const exported: ReadableSpan[] = [];
    const { provider } = providers(65_536, (span) => exported.push(span));
    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 50);
    const startTime = Date.now() - 1_500;
    const span = provider.getTracer('test').startSpan('work', { kind: SpanKind.SERVER, startTime });
    span.setStatus({ code: SpanStatusCode.ERROR }).end(startTime + 250);
    provider.flush();
    clock.mockRestore();
    const [{ duration, startTime: exportedStart }] = exported as [ReadableSpan];
    expect(Math.abs(exportedStart[0] * 1e3 + exportedStart[1] / 1e6 - startTime)).toBeLessThan(5);
    expect(Math.abs(duration[0] * 1e3 + duration[1] / 1e6 - 250)).toBeLessThan(5);
  });

  test('is active while the work of startActiveSpan runs', () => {
    const { provider } = providers(65_536, () => {});
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
