import { TokenBucket } from '@action-platform/token-bucket';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { Announcements } from './announcements.ts';
import type { EndedSpan, EndedSpans, LightSpan } from './light-span.ts';
import type { Replay } from './replay.ts';
import { BLOCK_SPANS, SpanRing } from './span-ring.ts';

/*
 * Tail-based sampling: the outcome of a request decides whether its trace is kept, so until then each process stores its own spans.
 * (Zhang, Xie, Anand, Vigfusson, Mace, "The Benefit of Hindsight: Tracing Edge-Cases in Distributed Systems", NSDI 2023.)
 *
 * Each span of an unsampled trace goes into the ring buffer of its process. The process that sees a request fail, or take too long, exports
 * its spans of that trace and announces the trace id to all other processes, which do the same. Later spans of the trace are exported as
 * they end. Announcements are not acknowledged: a process that died, or has overwritten its spans, leaves a gap in the trace.
 *
 * Rate limits keep a flood of failures from becoming a flood of traces: they bound the own and the announced traces of a second, and the spans of each.
 * Traces beyond the limits are counted as dropped.
 */

/** How long a span stays in the ring, and a kept trace stays known, in milliseconds. */
const KEPT_MS = 30_000;
/** How many traces a second a process keeps by its own decision, and how many that others announce. */
const OWN_PER_SECOND = 20;
const ANNOUNCED_PER_SECOND = 200;
/** How many seconds' worth of traces may be kept at once: requests mostly fail together. */
const BURST_SECONDS = 5;
/** How many spans of one trace are exported: callers may give many requests one trace id. */
const SPANS_OF_A_TRACE = 1_000;

/**
 * For how many milliseconds ended spans are collected before they are exported or stored, unless they fill a block first. A batch takes a
 * fraction of the time that single spans take in the middle of a request.
 */
const BATCH_MS = 100;

/** The settings of retroactive sampling. */
export interface RetroactiveOptions {
  /** The size of the ring buffer, in bytes. */
  readonly ringBytes: number;
  /** The trace of a request that takes so long, in milliseconds, is kept. */
  readonly slowMs: number;
  /** A server span with this attribute set to true has its trace kept. */
  readonly keepAttribute: string;
  /** Exports spans; it is the SDK's generator of ids. */
  readonly replay: Replay;
}

interface Kept {
  readonly until: number;
  spansLeft: number;
}

/** Takes all spans when they end: exports sampled ones and stores the others until their trace is kept. */
export class RetroactiveSampling implements EndedSpans {
  readonly #options: RetroactiveOptions;
  readonly #ring: SpanRing;
  readonly #kept = new Map<string, Kept>();
  #batch: LightSpan[] = [];
  #isTimed = false;
  readonly #own = new TokenBucket(OWN_PER_SECOND, BURST_SECONDS);
  readonly #announced = new TokenBucket(ANNOUNCED_PER_SECOND, BURST_SECONDS);
  readonly announcements = new Announcements();
  /** How many traces were kept, and how many were dropped by the rate limits. */
  readonly counts = { kept: 0, dropped: 0 };

  constructor(options: RetroactiveOptions) {
    this.#options = options;
    this.#ring = new SpanRing(options.ringBytes, KEPT_MS);
  }

  ended(span: LightSpan): void {
    const { traceId } = span.context;
    this.#batch.push(span);
    if (this.#isWanted(span) && this.#keep(traceId, this.#own)) this.announcements.add(traceId);
    else if (this.#batch.length >= BLOCK_SPANS) this.flush();
    else if (!this.#isTimed) {
      this.#isTimed = true;
      setTimeout(this.#flushInTime, BATCH_MS).unref();
    }
  }

  readonly #flushInTime = (): void => {
    this.#isTimed = false;
    this.flush();
  };

  /** Exports or stores the spans that ended. */
  flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    const stored: LightSpan[] = [];
    const exported: LightSpan[] = [];
    // Mostly no trace is kept, and the look-up costs as much as the rest of this loop.
    const keepsAny = this.#kept.size > 0;
    for (const span of batch) {
      const isExported = isSampled(span) || (keepsAny && this.#kept.has(span.context.traceId));
      (isExported ? exported : stored).push(span);
    }
    if (stored.length > 0) this.#ring.add(stored);
    for (const span of exported) {
      const kept = this.#kept.get(span.context.traceId);
      if (kept === undefined) this.#options.replay.export(span);
      else this.#export([span], kept);
    }
  }

  /** Keeps traces that another process announced. */
  keep(traceIds: readonly string[]): void {
    for (const traceId of traceIds) this.#keep(traceId, this.#announced);
  }

  /** Whether this is the span of an incoming request that failed, took too long or has the keep attribute. */
  #isWanted(span: LightSpan): boolean {
    const { kind, parent, status, startedAt, endedAt, added } = span;
    if (kind !== SpanKind.SERVER || isSampled(span)) return false;
    if (parent !== undefined && parent.isRemote !== true) return false;
    const { slowMs, keepAttribute } = this.#options;
    if (status === SpanStatusCode.ERROR || added[keepAttribute] === true) return true;
    return endedAt - startedAt >= slowMs && added[keepAttribute] !== false;
  }

  /** Exports the spans of a trace, now and as they end; false when it is kept already, or dropped. */
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

  /** Exports spans, and the traces they link: those of the batches that a request was part of. */
  #export(spans: readonly EndedSpan[], kept: Kept): void {
    for (const span of spans) {
      if (kept.spansLeft === 0) return;
      kept.spansLeft--;
      this.#options.replay.export(span);
      // A batch links its requests; sharing a batch is no reason to keep their traces.
      if (span.parent === undefined) continue;
      for (const { context } of span.links) {
        if (!this.#kept.has(context.traceId)) this.#exportAll(context.traceId);
      }
    }
  }

  /** Forgets kept traces whose time is over. */
  #forget(now: number): void {
    for (const [traceId, { until }] of this.#kept) {
      if (until > now) return;
      this.#kept.delete(traceId);
    }
  }
}

/** Whether a span is exported whatever the outcome of its request. */
function isSampled({ context }: LightSpan): boolean {
  return (context.traceFlags & TraceFlags.SAMPLED) !== 0;
}
