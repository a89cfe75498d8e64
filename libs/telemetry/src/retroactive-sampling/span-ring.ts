import { randomInt } from 'node:crypto';
import type { Attributes, Link, SpanKind, SpanStatusCode, Tracer } from '@opentelemetry/api';
import type { EndedSpan } from './light-span.ts';

/** The most spans that are added together. */
export const BLOCK_SPANS = 64;
/** The largest part of the buffer for one block; a larger block is dropped. */
const LARGEST_PART = 1 / 4;
/** The number of hash buckets of the index by trace id; a power of two. */
const BUCKETS = 16_384;
/** How many attributes are stored once for all spans that share them. */
const MOST_SHARED = 1_000;
/** The bytes of a span's hash and position in the index. */
const INDEX_BYTES = 12;
/** About the bytes of the objects of a block: with few requests, each span is a block. */
const BLOCK_BYTES = 500;

const SEED = randomInt(2 ** 32);
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NOTHING: Attributes = Object.freeze({});

/** A span as JSON. `tracer` and `given` are indexes of what it shares with others, times are whole microseconds. */
type RingSpan = readonly [
  traceId: string,
  spanId: string,
  parentSpanId: string | null,
  isParentRemote: boolean | null,
  name: string,
  kind: SpanKind,
  status: SpanStatusCode,
  startedAt: number,
  endedAt: number,
  tracer: number,
  given: number,
  added: Attributes,
  links: readonly Link[],
  isSampled: boolean,
];

/** Spans that were added together. */
interface Block {
  /** The JSON of an array of RingSpan. */
  readonly json: Uint8Array;
  /** The hash of each span's trace id. */
  readonly hashes: Uint32Array;
  /** For each span, the position of the one before it in the same bucket, or -1. */
  readonly before: Float64Array;
}

/**
 * The last spans of a process, in a limited number of bytes. An object that survives costs the garbage collector about 3 µs, several times the
 * cost of making it; as JSON, 64 spans are one object, written in half a microsecond each. A hash index by trace id finds those of a trace.
 */
export class SpanRing {
  readonly #size: number;
  /** By their number, the oldest first. */
  readonly #blocks = new Map<number, Block>();
  #bytes = 0;
  #next = 0;
  /** The position of the last span in each bucket, or -1. Positions count on from block to block, BLOCK_SPANS for each. */
  readonly #last = new Float64Array(BUCKETS).fill(-1);
  readonly #tracers = new Interned<Tracer>();
  readonly #given = new Interned<Attributes>();

  /** @param size in bytes. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Adds ended spans, at most BLOCK_SPANS. */
  add(spans: readonly EndedSpan[]): void {
    // Not from the pool of Node.js, of which a block of any size would keep 64 KiB in memory.
    const json = encoder.encode(JSON.stringify(spans.map(this.#stored)));
    const bytes = bytesOf(json, spans);
    if (bytes > this.#size * LARGEST_PART) return;
    const hashes = new Uint32Array(spans.length);
    const before = new Float64Array(spans.length);
    for (let index = 0; index < spans.length; index++) {
      const hash = hashOf(spans[index]!.context.traceId);
      hashes[index] = hash;
      before[index] = this.#last[hash % BUCKETS]!;
      this.#last[hash % BUCKETS] = this.#next * BLOCK_SPANS + index;
    }
    this.#blocks.set(this.#next++, { json, hashes, before });
    this.#bytes += bytes;
    for (const [number, oldest] of this.#blocks) {
      if (this.#bytes <= this.#size) return;
      this.#bytes -= bytesOf(oldest.json, oldest.hashes);
      this.#blocks.delete(number);
    }
  }

  /** The stored spans of a trace that ended since then, the last first, at most `most`. */
  find(traceId: string, most: number, since = Number.NEGATIVE_INFINITY): EndedSpan[] {
    const hash = hashOf(traceId);
    const found: EndedSpan[] = [];
    const read = this.#reader();
    for (let position = this.#last[hash % BUCKETS]!; position >= 0 && found.length < most; ) {
      const block = this.#blocks.get(Math.floor(position / BLOCK_SPANS));
      if (block === undefined) break;
      const index = position % BLOCK_SPANS;
      const span = block.hashes[index] === hash ? read(block, index) : undefined;
      if (span !== undefined && span.endedAt < since) break;
      if (span?.context.traceId === traceId) found.push(span);
      position = block.before[index]!;
    }
    return found;
  }

  /** All stored spans, in blocks, the newest block first. */
  *blocks(): Generator<EndedSpan[]> {
    for (const { json } of [...this.#blocks.values()].toReversed())
      yield (JSON.parse(decoder.decode(json)) as RingSpan[]).map((span) => this.#restored(span));
  }

  readonly #stored = (span: EndedSpan): RingSpan => {
    const { context, parent, name, kind, status, startedAt, endedAt, tracer, given, added, links } = span;
    // Frozen attributes are constants, which many spans share; other attributes may change.
    const isShared = this.#given.has(given) || (Object.isFrozen(given) && this.#given.size < MOST_SHARED);
    return [
      context.traceId,
      context.spanId,
      parent?.spanId ?? null,
      parent?.isRemote ?? null,
      name,
      kind,
      status,
      Math.round(startedAt * 1_000),
      Math.round(endedAt * 1_000),
      this.#tracers.indexOf(tracer),
      this.#given.indexOf(isShared ? given : NOTHING),
      isShared ? added : { ...given, ...added },
      links,
      span.isSampled,
    ];
  };

  /** Reads stored spans, and caches the last block: spans of a trace often end together. */
  #reader(): (block: Block, index: number) => EndedSpan {
    let last: Block | undefined;
    let spans: readonly RingSpan[] = [];
    return (block, index) => {
      if (block !== last) spans = JSON.parse(decoder.decode(block.json));
      last = block;
      return this.#restored(spans[index]!);
    };
  }

  #restored(span: RingSpan): EndedSpan {
    const [traceId, spanId, parentSpanId, isRemote, name, kind, status, startedAt, endedAt, ...rest] = span;
    const [tracer, given, added, links, isSampled] = rest;
    return {
      context: { traceId, spanId },
      parent: parentSpanId === null ? undefined : { spanId: parentSpanId, isRemote: isRemote === true },
      name,
      kind,
      status,
      startedAt: startedAt / 1_000,
      endedAt: endedAt / 1_000,
      tracer: this.#tracers.at(tracer),
      given: this.#given.at(given),
      added,
      links,
      isSampled,
    };
  }
}

/** How many bytes a block takes. */
function bytesOf(json: Uint8Array, spans: ArrayLike<unknown>): number {
  return json.length + spans.length * INDEX_BYTES + BLOCK_BYTES;
}

/** Values that many spans share, each with an index. */
class Interned<Value> {
  readonly #values: Value[] = [];
  readonly #indexes = new Map<Value, number>();

  get size(): number {
    return this.#values.length;
  }

  has(value: Value): boolean {
    return this.#indexes.has(value);
  }

  /** The index of a value, which is a new one for a new value. */
  indexOf(value: Value): number {
    const known = this.#indexes.get(value);
    if (known !== undefined) return known;
    const index = this.#values.push(value) - 1;
    this.#indexes.set(value, index);
    return index;
  }

  at(index: number): Value {
    return this.#values[index]!;
  }
}

/** A hash of a trace id (FNV-1a) with a seed of this process: callers choose trace ids, and must not choose which of them collide. */
function hashOf(traceId: string): number {
  let hash = SEED;
  for (let digit = 0; digit < traceId.length; digit++)
    hash = Math.imul(hash ^ traceId.charCodeAt(digit), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}
