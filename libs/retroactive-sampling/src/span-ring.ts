import { randomInt } from 'node:crypto';
import type { Attributes, Tracer } from '@opentelemetry/api';
import type { EndedSpan } from './light-span.ts';
import { readTexts, splitTexts, writeTexts } from './span-text.ts';

/** How many hash buckets chain the spans by their trace id; a power of two. */
const CHAINS = 16_384;
/** The largest part of the buffer for spans that are added together. More are added in halves; a single span that needs more is dropped. */
const LARGEST_PART = 1 / 4;
/** The bytes of the longest character in UTF-8. */
const CHARACTER_BYTES = 3;
/** How many attribute objects are interned. Callers declare them as constants, so there are far fewer. */
const MOST_GIVEN = 4_096;
const NOTHING: Attributes = Object.freeze({});
const SEED = randomInt(2 ** 32);

/** Reads the texts of spans that were added together. */
type TextsReader = (textAt: number, textBytes: number) => readonly string[];

/*
 * Spans that are added together form a block: a record of numbers for each span, then the texts of all. A record:
 *
 *   0  f64  its own position, counted from the first byte ever written
 *   8  f64  position of the previous record in the same chain, or -1
 *  16  f64  start, in milliseconds of the monotonic clock   24  f64  end
 *  32  u32  kind, whether the parent is remote, status      36  u32  index of the tracer
 *  40  u32  index of the interned attributes                44  u32  index of its texts in the block
 *  48  u32  offset of the block's texts in the buffer       52  u32  bytes of those texts
 *  56  u32  hash of the trace id                            60  unused
 */
const NUMBERS = 64;

/**
 * The last spans of a process, in a ring buffer of fixed size. An object that survives costs the garbage collector about 3 µs, several times
 * the cost of making it; bytes cost it nothing, and the buffer holds many times as many spans. A hash index by trace id finds those of a trace.
 */
export class SpanRing {
  readonly #bytes: Buffer;
  readonly #doubles: Float64Array;
  readonly #integers: Uint32Array;
  readonly #keptMs: number;
  readonly #chains = new Float64Array(CHAINS).fill(-1);
  /** Interned values, referred to by their index. */
  readonly #tracers: Tracer[] = [];
  readonly #given: Attributes[] = [NOTHING];
  readonly #indexes = new Map<Attributes, number>();
  /** The position of the next block. Positions keep growing beyond the size of the buffer. */
  #end = 0;

  /**
   * @param size in bytes.
   * @param keptMs how long a span can be found, in milliseconds.
   */
  constructor(size: number, keptMs: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size - (size % 8));
    this.#doubles = new Float64Array(this.#bytes.buffer);
    this.#integers = new Uint32Array(this.#bytes.buffer);
    this.#keptMs = keptMs;
  }

  /** Adds ended spans. */
  add(spans: readonly EndedSpan[]): void {
    const texts = writeTexts(spans, this.#isKnown);
    const numbers = spans.length * NUMBERS;
    const most = numbers + texts.length * CHARACTER_BYTES + 8;
    if (most > this.#bytes.length * LARGEST_PART) {
      const half = spans.length >> 1;
      if (half > 0) for (const part of [spans.slice(0, half), spans.slice(half)]) this.add(part);
      return;
    }
    const left = this.#bytes.length - (this.#end % this.#bytes.length);
    if (most > left) this.#end += left;
    const textAt = (this.#end % this.#bytes.length) + numbers;
    const textBytes = this.#bytes.write(texts, textAt);
    for (let index = 0; index < spans.length; index++) {
      this.#addNumbers(spans[index]!, index, textAt, textBytes);
      this.#end += NUMBERS;
    }
    this.#end += textBytes + ((8 - (textBytes % 8)) % 8);
  }

  #addNumbers(span: EndedSpan, index: number, textAt: number, textBytes: number): void {
    const at = this.#end % this.#bytes.length;
    const hash = hashOf(span.context.traceId);
    const chain = hash & (CHAINS - 1);
    const double = at / 8;
    this.#doubles[double] = this.#end;
    this.#doubles[double + 1] = this.#chains[chain]!;
    this.#doubles[double + 2] = span.startedAt;
    this.#doubles[double + 3] = span.endedAt;
    const integer = at / 4 + 8;
    const isParentRemote = span.parent?.isRemote === true;
    this.#integers[integer] = (span.kind << 3) | (isParentRemote ? 4 : 0) | span.status;
    this.#integers[integer + 1] = this.#tracerOf(span.tracer);
    this.#integers[integer + 2] = this.#indexOf(span.given) ?? 0;
    this.#integers[integer + 3] = index;
    this.#integers[integer + 4] = textAt;
    this.#integers[integer + 5] = textBytes;
    this.#integers[integer + 6] = hash;
    this.#chains[chain] = this.#end;
  }

  /** The stored spans of a trace, the last first, at most `most`. */
  find(traceId: string, most: number): EndedSpan[] {
    const oldest = performance.now() - this.#keptMs;
    const hash = hashOf(traceId);
    const textsAt = this.#textsReader();
    const found: EndedSpan[] = [];
    let position = this.#chains[hash & (CHAINS - 1)]!;
    while (position >= Math.max(0, this.#end - this.#bytes.length) && found.length < most) {
      const at = position % this.#bytes.length;
      const [begins, before, startedAt, endedAt] = this.#doubles.subarray(at / 8, at / 8 + 4);
      if (begins !== position || endedAt! < oldest) break;
      if (this.#integers[at / 4 + 14] === hash) {
        const span = this.#read(at, startedAt!, endedAt!, textsAt);
        if (span.context.traceId === traceId) found.push(span);
      }
      position = before!;
    }
    return found;
  }

  #read(at: number, startedAt: number, endedAt: number, textsAt: TextsReader): EndedSpan {
    const [bits, tracer, given, index, textAt, textBytes] = this.#integers.subarray(at / 4 + 8, at / 4 + 14);
    const { parentSpanId, ...texts } = readTexts(textsAt(textAt!, textBytes!)[index!]!);
    return {
      ...texts,
      tracer: this.#tracers[tracer!]!,
      kind: bits! >> 3,
      parent: parentSpanId === undefined ? undefined : { spanId: parentSpanId, isRemote: (bits! & 4) !== 0 },
      status: bits! & 3,
      given: this.#given[given!]!,
      startedAt,
      endedAt,
    };
  }

  /** Reads texts, and remembers the last block: spans of a trace often end together. */
  #textsReader(): TextsReader {
    let lastAt = -1;
    let last: readonly string[] = [];
    return (textAt, textBytes) => {
      if (textAt !== lastAt) last = splitTexts(this.#bytes.toString('utf8', textAt, textAt + textBytes));
      lastAt = textAt;
      return last;
    };
  }

  readonly #isKnown = (given: Attributes): boolean => this.#indexOf(given) !== undefined;

  #tracerOf(tracer: Tracer): number {
    const known = this.#tracers.indexOf(tracer);
    return known === -1 ? this.#tracers.push(tracer) - 1 : known;
  }

  /** The index of attributes that are interned: frozen ones only, as others may change. */
  #indexOf(given: Attributes): number | undefined {
    const known = this.#indexes.get(given);
    if (known !== undefined || this.#given.length === MOST_GIVEN || !Object.isFrozen(given)) return known;
    const index = this.#given.push(given) - 1;
    this.#indexes.set(given, index);
    return index;
  }
}

/** A hash of a trace id (FNV-1a) with a seed of this process: callers choose trace ids, and must not choose which of them collide. */
function hashOf(traceId: string): number {
  let hash = SEED;
  for (let digit = 0; digit < traceId.length; digit++)
    hash = Math.imul(hash ^ traceId.charCodeAt(digit), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}
