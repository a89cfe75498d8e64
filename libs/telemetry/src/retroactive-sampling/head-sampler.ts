import { TokenBucket } from '@action-platform/admission';
import { type Link, type SpanContext, TraceFlags } from '@opentelemetry/api';

/**
 * How long one decision holds, in milliseconds. Requests of the same moment share batches, and a batch is sampled when one of its requests
 * is: with a decision for each request, a tenth of the requests would sample four fifths of the batches.
 */
const DECISION_MS = 10;

/** How many of the traces that begin here are sampled. */
export interface SamplingRates {
  /** The traces of a second that the sampler always takes: below this rate every trace is sampled. */
  readonly allPerSecond: number;
  /** The share of the traces beyond those, from 0 to 1. */
  readonly share: number;
}

/**
 * Decides at the beginning of a span whether it is sampled.
 *
 * A span within a trace follows the flag of its parent. The root of a trace that links spans of this process, such as a batch, is sampled if
 * one of them is.
 */
export class HeadSampler {
  readonly #always: TokenBucket;
  readonly #share: number;
  #isSampled = false;
  #until = 0;

  constructor({ allPerSecond, share }: SamplingRates) {
    this.#always = new TokenBucket(allPerSecond);
    this.#share = share;
  }

  /** Whether a span within `parent` is sampled, or the root of a new trace when there is no parent. */
  samples(parent: SpanContext | undefined, links: readonly Link[] = [], now = performance.now()): boolean {
    if (parent !== undefined) return hasFlag(parent);
    const local = links.filter(({ context }) => context.isRemote !== true);
    if (local.length > 0) return local.some(({ context }) => hasFlag(context));
    if (now >= this.#until) {
      this.#until = now + DECISION_MS;
      this.#isSampled = Math.random() < this.#share;
    }
    return this.#always.take() || this.#isSampled;
  }
}

function hasFlag({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
