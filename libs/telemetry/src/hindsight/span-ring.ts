import { randomInt } from 'node:crypto';
import type { Attributes, Tracer } from '@opentelemetry/api';
import type { EndedSpan } from './held-span.ts';
import { readTexts, splitTexts, writeTexts } from './span-text.ts';

/** How many chains the spans hang on, by their trace id; a power of two. */
const CHAINS = 16_384;
/** Which part of the buffer spans may take that come together; of more each half comes by itself, and one alone that takes more is not kept. */
const LARGEST_PART = 1 / 4;
/** The bytes of the longest character in UTF-8. */
const CHARACTER_BYTES = 3;
/** How many different attributes that spans are given are known by number; they are declared, and far fewer. */
const MOST_GIVEN = 4_096;
const NOTHING: Attributes = Object.freeze({});
const BEGINNING = randomInt(2 ** 32);

/** Gives the texts that begin at a place in the buffer and have so many bytes, of each span one. */
type TextsReader = (textAt: number, textBytes: number) => readonly string[];

/*
 * In the ring there are spans that came together: the numbers of each, then the texts of all.
 *
 *   0  f64  where it begins, counted from the first byte that was ever written
 *   8  f64  where the span begins that was added to the same chain before; -1 when there is none
 *  16  f64  when it began, in milliseconds of the monotonic clock       24  f64  when it ended
 *  32  u32  kind, whether its parent is elsewhere, status   36  u32  its tracer
 *  40  u32  the attributes that it was given                44  u32  which of those in the texts it is
 *  48  u32  where the texts begin in the buffer             52  u32  bytes of the texts
 *  56  u32  the hash of its trace id                        60  nothing
 */
const NUMBERS = 64;

/**
 * The last spans of a process, in a buffer of fixed size: the oldest make room. Kept as objects they would cost the garbage
 * collector about 3 µs each, several times what it takes to make one; as bytes they cost it nothing, and many times as many
 * fit. Those of a trace hang together, so that they are found without a search.
 */
export class SpanRing {
  readonly #bytes: Buffer;
  readonly #doubles: Float64Array;
  readonly #integers: Uint32Array;
  readonly #keptMs: number;
  readonly #chains = new Float64Array(CHAINS).fill(-1);
  /** What is the same for many spans is known by its number. */
  readonly #tracers: Tracer[] = [];
  readonly #given: Attributes[] = [NOTHING];
  readonly #numbers = new Map<Attributes, number>();
  /** Where the next span begins; as `#chains`, it counts on beyond the size of the buffer. */
  #end = 0;

  /**
   * @param size in bytes.
   * @param keptMs how long a span is kept at most, in milliseconds.
   */
  constructor(size: number, keptMs: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size - (size % 8));
    this.#doubles = new Float64Array(this.#bytes.buffer);
    this.#integers = new Uint32Array(this.#bytes.buffer);
    this.#keptMs = keptMs;
  }

  /** Adds spans that have ended. */
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
    const hash = hashOf(span.place.traceId);
    const chain = hash & (CHAINS - 1);
    const double = at / 8;
    this.#doubles[double] = this.#end;
    this.#doubles[double + 1] = this.#chains[chain]!;
    this.#doubles[double + 2] = span.startedAt;
    this.#doubles[double + 3] = span.endedAt;
    const integer = at / 4 + 8;
    const isFromElsewhere = span.parent?.isRemote === true;
    this.#integers[integer] = (span.kind << 3) | (isFromElsewhere ? 4 : 0) | span.status;
    this.#integers[integer + 1] = this.#tracerOf(span.tracer);
    this.#integers[integer + 2] = this.#numberOf(span.given) ?? 0;
    this.#integers[integer + 3] = index;
    this.#integers[integer + 4] = textAt;
    this.#integers[integer + 5] = textBytes;
    this.#integers[integer + 6] = hash;
    this.#chains[chain] = this.#end;
  }

  /** The spans of a trace that are still there, the last first, at most so many. */
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
        if (span.place.traceId === traceId) found.push(span);
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

  /** Reads texts; those that were read last are remembered, as spans of a trace that end together are there together. */
  #textsReader(): TextsReader {
    let lastAt = -1;
    let last: readonly string[] = [];
    return (textAt, textBytes) => {
      if (textAt !== lastAt) last = splitTexts(this.#bytes.toString('utf8', textAt, textAt + textBytes));
      lastAt = textAt;
      return last;
    };
  }

  readonly #isKnown = (given: Attributes): boolean => this.#numberOf(given) !== undefined;

  #tracerOf(tracer: Tracer): number {
    const known = this.#tracers.indexOf(tracer);
    return known === -1 ? this.#tracers.push(tracer) - 1 : known;
  }

  /** The number of attributes that many spans are given: frozen, so that they stay as they are. Undefined for others. */
  #numberOf(given: Attributes): number | undefined {
    const known = this.#numbers.get(given);
    if (known !== undefined || this.#given.length === MOST_GIVEN || !Object.isFrozen(given)) return known;
    const number = this.#given.push(given) - 1;
    this.#numbers.set(given, number);
    return number;
  }
}

/**
 * A hash of a trace id (FNV-1a), from a beginning that is this process's own: callers choose trace ids, and are not to choose which of them
 * hang on the same chain.
 */
function hashOf(traceId: string): number {
  let hash = BEGINNING;
  for (let digit = 0; digit < traceId.length; digit++)
    hash = Math.imul(hash ^ traceId.charCodeAt(digit), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}
