import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { EndedSpan } from './light-span.ts';
import { SpanRing } from './span-ring.ts';

// Only this flag exposes the collector in a process that was started without it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const idOf = (bytes: number) => randomBytes(bytes).toString('hex');
const newTraceId = () => idOf(16);
const tracer = trace.getTracer('test');

/** A span that ended just now. */
function ended(traceId: string, added: Attributes = {}, rest: Partial<EndedSpan> = {}): EndedSpan {
  // The ring stores whole microseconds.
  const endedAt = Math.round(performance.now());
  return {
    tracer,
    name: 'some work',
    kind: SpanKind.SERVER,
    context: { traceId, spanId: idOf(8) },
    parent: undefined,
    startedAt: endedAt - 1.25,
    endedAt,
    status: SpanStatusCode.UNSET,
    given: {},
    added,
    links: [],
    isSampled: false,
    ...rest,
  };
}

describe('the ring of spans', () => {
  test('finds the spans of a trace, the newest first, as they were when they were added', () => {
    const ring = new SpanRing(65_536);
    const traceId = newTraceId();
    const changing: Attributes = { one: 'before', two: 2 };
    const changed = ended(traceId, { two: 3 }, { given: changing });
    const newer = ended(traceId, { half: '\ud800' }, { tracer: trace.getTracer('another') });
    ring.add([changed, ended(newTraceId())]);
    ring.add([newer]);
    changing.one = 'after';
    const [found, older] = ring.find(traceId, 10);
    expect(found).toEqual(newer);
    expect({ ...older!.given, ...older!.added }).toEqual({ one: 'before', two: 3 });
    expect(ring.find(traceId, 1)).toHaveLength(1);
    expect(ring.find(newTraceId(), 10)).toEqual([]);
  });

  test('overwrites the oldest spans, whatever their number and size', () => {
    const ring = new SpanRing(65_536);
    const traceIds = Array.from({ length: 5_000 }, newTraceId);
    for (const [index, traceId] of traceIds.entries())
      ring.add([ended(traceId, { text: 'x'.repeat(index % 700) })]);
    const found = traceIds.map((traceId) => ring.find(traceId, 10).length);
    const first = found.indexOf(1);
    expect(first).toBeGreaterThan(4_700);
    expect(first).toBeLessThan(4_990);
    expect(found.slice(first).every((count) => count === 1)).toBe(true);
  });

  test('finds no span that is older than allowed', () => {
    const ring = new SpanRing(65_536);
    const traceId = newTraceId();
    ring.add([ended(traceId)]);
    expect(ring.find(traceId, 10, performance.now() + 1)).toEqual([]);
    expect(ring.find(traceId, 10)).toHaveLength(1);
  });

  test('finds a trace among very many whose ids end alike, without going through them', () => {
    const ring = new SpanRing(16_777_216);
    const alike = () => newTraceId().slice(0, 20) + '0'.repeat(12);
    const wanted = alike();
    ring.add([ended(wanted)]);
    for (let i = 0; i < 20_000; i++) ring.add([ended(alike())]);
    // A search through all of them would exceed the test's time limit.
    for (let i = 0; i < 1_000; i++) expect(ring.find(wanted, 10)).toHaveLength(1);
  });

  test('holds a bounded number of constant attributes in memory, and returns all as they were', async () => {
    const ring = new SpanRing(65_536);
    const traceIds = Array.from({ length: 5_000 }, newTraceId);
    const held = traceIds.map((traceId, index) => {
      const given = Object.freeze({ index });
      ring.add([ended(traceId, {}, { given })]);
      return new WeakRef(given);
    });
    const [last] = ring.find(traceIds.at(-1)!, 1);
    expect({ ...last!.given, ...last!.added }).toEqual({ index: 4_999 });
    // A reference that was just made keeps its object until the end of the tick.
    await setImmediate();
    collectGarbage();
    expect(held.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(2_000);
  });

  test('takes no more memory than its size, however few spans are added together', () => {
    const ring = new SpanRing(1_048_576);
    const arrayBuffers = () => {
      for (let times = 0; times < 2; times++) collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = arrayBuffers();
    for (let i = 0; i < 1_000; i++) {
      ring.add([ended(newTraceId())]);
      // Other code uses the pool of Node.js meanwhile.
      for (let others = 0; others < 3; others++) Buffer.from('x'.repeat(30_000));
    }
    expect(arrayBuffers() - before).toBeLessThan(4_194_304);
    expect(ring.find(newTraceId(), 1)).toEqual([]);
  });

  test('drops a span that is too large, and no other', () => {
    const ring = new SpanRing(262_144);
    const traceId = newTraceId();
    ring.add([ended(traceId)]);
    ring.add([ended(traceId, { text: 'x'.repeat(100_000) })]);
    expect(ring.find(traceId, 10)).toHaveLength(1);
  });
});
