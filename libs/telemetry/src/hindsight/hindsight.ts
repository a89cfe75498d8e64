import { TokenBucket } from '@action-platform/token-bucket';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { KEEP_TRACE } from '../keep-trace.ts';
import { Announcements } from './announcements.ts';
import type { EndedSpan, EndedSpans, HeldSpan } from './held-span.ts';
import { readableSpan } from './readable-span.ts';
import { SpanRing } from './span-ring.ts';

/*
 * Hindsight: whether a trace is worth keeping is known when its request ends, so until then everybody keeps their part.
 * (Zhang, Xie, Anand, Vigfusson, Mace, "The Benefit of Hindsight: Tracing Edge-Cases in Distributed Systems", NSDI 2023.)
 *
 * Every span of a trace that is not sampled is put into the ring of its process. The process that sees a request end badly, or
 * late, exports what it holds of that trace and tells all others over the bus, who do the same; what ends later of that trace
 * is exported, too. Nothing is asked for and nothing answered: whoever has died, or has overwritten its part, leaves a gap in
 * the trace.
 *
 * A flood of failures must not become one of traces: each process begins so many a second, follows so many more, and exports
 * so many spans of each. What goes beyond is counted.
 */

/** How long a part of a trace is kept, and how long a trace that is kept is remembered, in milliseconds. */
const KEPT_MS = 30_000;
/** How many traces a second a process says are worth keeping, and how many it is told of by others. */
const OWN_PER_SECOND = 20;
const HEARD_PER_SECOND = 200;
/** For how many seconds the bucket may be spent at once: what fails mostly fails together. */
const SAVED_SECONDS = 5;
/** How many spans of one trace are exported: callers may give many requests one trace id. */
const SPANS_OF_A_TRACE = 1_000;

/**
 * How many ended spans are gathered, and for how long, in milliseconds, before it is seen to that they are exported or kept: with many
 * at a time that takes a fraction of what it takes in between everything else that is done for a request.
 */
const GATHERED = 64;
const GATHERED_MS = 100;

/** How to keep what is not sampled. */
export interface HindsightOptions {
  /** The size of the ring, in bytes. */
  readonly ringBytes: number;
  /** How long a request takes, in milliseconds, for its trace to be kept. */
  readonly slowMs: number;
}

/** What happened to traces that were worth keeping. */
export interface HindsightCounts {
  /** Kept. */
  kept: number;
  /** Not kept, as there were too many. */
  dropped: number;
}

interface Kept {
  readonly until: number;
  spansLeft: number;
}

/** Takes all spans when they end: exports those that are sampled, and keeps the others until it is known whether they are wanted. */
export class Hindsight implements EndedSpans {
  readonly #exported: (span: ReadableSpan) => void;
  readonly #slowMs: number;
  readonly #ring: SpanRing;
  readonly #kept = new Map<string, Kept>();
  #gathered: HeldSpan[] = [];
  #isTimed = false;
  readonly #own = new TokenBucket(OWN_PER_SECOND, SAVED_SECONDS);
  readonly #heard = new TokenBucket(HEARD_PER_SECOND, SAVED_SECONDS);
  readonly announcements = new Announcements();
  readonly counts: HindsightCounts = { kept: 0, dropped: 0 };

  /** @param exported takes what is to be exported. */
  constructor({ ringBytes, slowMs }: HindsightOptions, exported: (span: ReadableSpan) => void) {
    this.#exported = exported;
    this.#slowMs = slowMs;
    this.#ring = new SpanRing(ringBytes, KEPT_MS);
  }

  /** A span has ended. */
  ended(span: HeldSpan): void {
    const { traceId } = span.place;
    this.#gathered.push(span);
    if (this.#isWanted(span) && this.#keep(traceId, this.#own)) this.announcements.add(traceId);
    else if (this.#gathered.length >= GATHERED) this.flush();
    else if (!this.#isTimed) {
      this.#isTimed = true;
      setTimeout(this.#flushInTime, GATHERED_MS).unref();
    }
  }

  readonly #flushInTime = (): void => {
    this.#isTimed = false;
    this.flush();
  };

  /** Sees to all that have ended. */
  flush(): void {
    const gathered = this.#gathered;
    this.#gathered = [];
    const held: HeldSpan[] = [];
    const due: HeldSpan[] = [];
    // Mostly no trace is kept, and to look for one takes as long as all else here.
    const keepsAny = this.#kept.size > 0;
    for (const span of gathered) {
      const isDue = isSampled(span) || (keepsAny && this.#kept.has(span.place.traceId));
      (isDue ? due : held).push(span);
    }
    this.#ring.add(held);
    for (const span of due) {
      const kept = this.#kept.get(span.place.traceId);
      if (kept === undefined) this.#exported(readableSpan(span));
      else this.#export([span], kept);
    }
  }

  /** Whether a trace was worth keeping, some seconds ago or less. */
  keeps(traceId: string): boolean {
    return this.#kept.has(traceId);
  }

  /** Another process says that these traces are worth keeping. */
  hear(traceIds: readonly string[]): void {
    for (const traceId of traceIds) this.#keep(traceId, this.#heard);
  }

  /** Whether it is a request or a call, which was answered badly or late. */
  #isWanted(span: HeldSpan): boolean {
    const { kind, parent, status, startedAt, endedAt, added } = span;
    if (kind !== SpanKind.SERVER || isSampled(span)) return false;
    if (parent !== undefined && parent.isRemote !== true) return false;
    return (
      status === SpanStatusCode.ERROR || endedAt - startedAt >= this.#slowMs || added[KEEP_TRACE] === true
    );
  }

  /** Exports what there is of a trace, and what comes; false when it was known, or there is no bucket for it. */
  #keep(traceId: string, bucket: TokenBucket): boolean {
    if (this.#kept.has(traceId)) return false;
    if (!bucket.take()) {
      this.counts.dropped++;
      return false;
    }
    this.counts.kept++;
    this.#exportAll(traceId);
    return true;
  }

  #exportAll(traceId: string): void {
    this.flush();
    const now = performance.now();
    this.#forget(now);
    const kept = { until: now + KEPT_MS, spansLeft: SPANS_OF_A_TRACE };
    this.#kept.set(traceId, kept);
    this.#export(this.#ring.find(traceId, SPANS_OF_A_TRACE), kept);
  }

  /** Exports spans, and the traces that they link: those of the batches that a request was part of. */
  #export(spans: readonly EndedSpan[], kept: Kept): void {
    for (const span of spans) {
      if (kept.spansLeft === 0) return;
      kept.spansLeft--;
      this.#exported(readableSpan(span));
      // A batch links the requests in it. They are not wanted for being together with one that is.
      if (span.parent === undefined) continue;
      for (const { context } of span.links) {
        if (!this.#kept.has(context.traceId)) this.#exportAll(context.traceId);
      }
    }
  }

  /** Forgets traces that nothing comes of any more. */
  #forget(now: number): void {
    for (const [traceId, { until }] of this.#kept) {
      if (until > now) return;
      this.#kept.delete(traceId);
    }
  }
}

/** Whether a span is exported whatever becomes of its request. */
function isSampled({ place }: HeldSpan): boolean {
  return (place.traceFlags & TraceFlags.SAMPLED) !== 0;
}
