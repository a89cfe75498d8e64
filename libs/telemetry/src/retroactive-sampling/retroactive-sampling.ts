import { TokenBucket } from '@action-platform/admission';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { Announcements } from './announcements.ts';
import type { EndedSpan, EndedSpans, LightSpan } from './light-span.ts';
import type { Replay } from './replay.ts';
import { BLOCK_SPANS, SpanRing } from './span-ring.ts';

/*
 * Tail-based sampling: the outcome of a request decides whether its trace is kept, so until then each process stores its own spans.
 * (Zhang, Xie, Anand, Vigfusson, Mace, "The Benefit of Hindsight: Tracing Edge-Cases in Distributed Systems", NSDI 2023.)
 *
 * Each span goes into the ring buffer of its process, and is exported at once if its trace is sampled. The process that sees a request fail, or take too long, exports
 * its spans of that trace and announces the trace id to all other processes, which do the same. Later spans of the trace are exported as
 * they end. Announcements are not acknowledged: a process that died, or has overwritten its spans, leaves a gap in the trace.
 *
 * The spans of kept traces have a second ring buffer, where those of successful requests do not displace them: `spansOf` finds the trace of a
 * failure for hours.
 *
 * Rate limits bound the own and the announced traces of a second, and the spans of each, for times when many requests fail. Traces beyond
 * the limits are counted as dropped. A caller may make many requests in one trace, such as all calls of a job: a failure after the first keeps the
 * trace anew, with a limit of its own, and the spans between them stay in the first buffer.
 */

/** For how long a trace can be kept after a span of it ended, and stays known then, in milliseconds. */
const KEPT_MS = 30_000;
/** The size of the ring buffer for kept traces, in bytes. */
const KEPT_BYTES = 4 * 1024 ** 2;
/** How many traces a second a process keeps by its own decision, and how many that others announce. */
const OWN_PER_SECOND = 20;
const ANNOUNCED_PER_SECOND = 200;
/** How many seconds' worth of traces may be kept at once: requests mostly fail together. */
const BURST_SECONDS = 5;
/** How many spans are exported each time that a trace is kept: callers may give many requests one trace id. */
const SPANS_OF_A_TRACE = 1_000;
/** How many of them may have ended before, so that room is left for the rest of the failed request. */
const EARLIER_SPANS = SPANS_OF_A_TRACE / 2;
/** A failure so soon after the trace was kept, in milliseconds, is the same one, as another process or a caller in it sees it. */
const SAME_FAILURE_MS = 1_000;
/** How many spans of a trace `spansOf` chooses from. */
const SEARCHED_SPANS = 10_000;

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
  /** Exports spans, as the SDK's generator of ids. Without `replay` no span is exported. */
  readonly replay: Replay | undefined;
}

/** A trace that is kept. */
interface KeptTrace {
  readonly since: number;
  spansLeft: number;
}

/** Takes all spans when they end: stores them, and exports the sampled ones and those of kept traces. */
export class RetroactiveSampling implements EndedSpans {
  readonly #options: RetroactiveOptions;
  readonly #ring: SpanRing;
  readonly #keptRing = new SpanRing(KEPT_BYTES);
  readonly #kept = new Map<string, KeptTrace>();
  #batch: LightSpan[] = [];
  #isTimed = false;
  readonly #own = new TokenBucket(OWN_PER_SECOND, BURST_SECONDS);
  readonly #announced = new TokenBucket(ANNOUNCED_PER_SECOND, BURST_SECONDS);
  readonly #announcements = new Announcements();
  /** How many traces were kept, and how many were dropped by the rate limits. */
  readonly counts = { kept: 0, dropped: 0 };

  constructor(options: RetroactiveOptions) {
    this.#options = options;
    this.#ring = new SpanRing(options.ringBytes);
  }

  ended(span: LightSpan): void {
    const { traceId } = span.context;
    this.#batch.push(span);
    if (this.#isWanted(span) && this.#keep(traceId, this.#own)) this.#announcements.add(traceId);
    else if (this.#batch.length >= BLOCK_SPANS) this.#storeBatch();
    else if (!this.#isTimed) {
      this.#isTimed = true;
      setTimeout(this.#flushInTime, BATCH_MS).unref();
    }
  }

  readonly #flushInTime = (): void => {
    this.#isTimed = false;
    this.#storeBatch();
  };

  /** Sets the function that announces kept traces to the other processes, `atOnce` ids at most in one call. */
  onKeep(announce: (traceIds: readonly string[]) => void, atOnce: number): void {
    this.#announcements.through(announce, atOnce);
  }

  /** Stores or exports the spans that ended, and announces the traces that were kept. */
  flush(): void {
    this.#storeBatch();
    this.#announcements.flush();
  }

  #storeBatch(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#forget();
    const stored: LightSpan[] = [];
    const exported: LightSpan[] = [];
    // Mostly no trace is kept, and the look-up costs as much as the rest of this loop.
    const keepsAny = this.#kept.size > 0;
    for (const span of batch) {
      if (span.isSampled) this.#options.replay?.export(span);
      const kept = keepsAny ? this.#kept.get(span.context.traceId) : undefined;
      if (kept === undefined || kept.spansLeft === 0) stored.push(span);
      else {
        kept.spansLeft--;
        exported.push(span);
      }
    }
    if (stored.length > 0) this.#ring.add(stored);
    // Afterwards: `exported` may link batches among the stored spans.
    this.#export(exported);
  }

  /** Keeps traces that another process announced. */
  keep(traceIds: readonly string[]): void {
    for (const traceId of traceIds) this.#keep(traceId, this.#announced);
  }

  /**
   * The stored spans of a trace, and those of the batches that it shared; at most as many as are exported of a trace.
   *
   * @param choose chooses some of the spans of the trace, before their number is limited
   */
  spansOf(traceId: string, choose = (spans: EndedSpan[]) => spans): EndedSpan[] {
    this.#storeBatch();
    const own = choose(this.#found(traceId, SEARCHED_SPANS)).slice(0, SPANS_OF_A_TRACE);
    const shared = new Set(own.flatMap(sharedBy));
    shared.delete(traceId);
    return [...own, ...[...shared].flatMap((each) => this.#found(each))].slice(0, SPANS_OF_A_TRACE);
  }

  /** All stored spans, in blocks: those of kept traces, then all, each time the newest block first. */
  *blocks(): Generator<EndedSpan[]> {
    this.#storeBatch();
    yield* this.#keptRing.blocks();
    yield* this.#ring.blocks();
  }

  /** The spans of a trace in both buffers. */
  #found(traceId: string, most = SPANS_OF_A_TRACE): EndedSpan[] {
    const all = [this.#keptRing, this.#ring].flatMap((ring) => ring.find(traceId, most));
    return [...new Map(all.map((span) => [span.context.spanId, span])).values()];
  }

  /** Whether `span` is that of an incoming request that failed, took too long or has the keep attribute. */
  #isWanted(span: LightSpan): boolean {
    const { kind, parent, status, startedAt, endedAt, added } = span;
    if (kind !== SpanKind.SERVER) return false;
    if (parent !== undefined && parent.isRemote !== true) return false;
    const { slowMs, keepAttribute } = this.#options;
    if (status === SpanStatusCode.ERROR || added[keepAttribute] === true) return true;
    return endedAt - startedAt >= slowMs && added[keepAttribute] !== false;
  }

  /** Exports the spans of a trace, now and as they end; false when it is kept already for this failure, or dropped. */
  #keep(traceId: string, bucket: TokenBucket): boolean {
    const { since = Number.NEGATIVE_INFINITY, spansLeft = 0 } = this.#kept.get(traceId) ?? {};
    if (spansLeft > 0 && performance.now() - since < SAME_FAILURE_MS) return false;
    if (!bucket.take()) {
      this.counts.dropped++;
      return false;
    }
    this.counts.kept++;
    this.#exportAll(traceId);
    return true;
  }

  #exportAll(traceId: string): void {
    this.#storeBatch();
    const now = performance.now();
    // While a trace is kept, the first buffer gets only spans of it that are not exported.
    const since = this.#kept.get(traceId)?.since ?? now - KEPT_MS;
    const earlier = this.#ring.find(traceId, EARLIER_SPANS, since);
    // The oldest is first.
    this.#kept.delete(traceId);
    this.#kept.set(traceId, { since: now, spansLeft: SPANS_OF_A_TRACE - earlier.length });
    this.#export(earlier);
  }

  /** Stores spans for longer and exports them, and the traces they link: those of the batches that a request was part of. */
  #export(spans: readonly EndedSpan[]): void {
    for (let at = 0; at < spans.length; at += BLOCK_SPANS)
      this.#keptRing.add(spans.slice(at, at + BLOCK_SPANS));
    for (const span of spans) {
      if (!span.isSampled) this.#options.replay?.export(span);
      for (const traceId of sharedBy(span)) if (!this.#kept.has(traceId)) this.#exportAll(traceId);
    }
  }

  /** Drops kept traces whose time is over. */
  #forget(): void {
    const over = performance.now() - KEPT_MS;
    for (const [traceId, { since }] of this.#kept) {
      if (since > over) return;
      this.#kept.delete(traceId);
    }
  }
}

/** The traces of the batches that a span shared. A batch links its requests; sharing it is no reason to keep their traces. */
function sharedBy({ parent, links }: EndedSpan): string[] {
  return parent === undefined ? [] : links.map(({ context }) => context.traceId);
}
