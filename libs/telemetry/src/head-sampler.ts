import { TokenBucket } from '@action-platform/token-bucket';
import { type Link, type SpanContext, TraceFlags } from '@opentelemetry/api';

/**
 * For how long is decided at once, in milliseconds. Those who come together go in the same batches, and of a batch all is exported if one
 * of those in it is. Decided one by one, a tenth of the requests would take four fifths of the batches with them.
 */
const TOGETHER_MS = 10;

/** How much is exported of what begins here. */
export interface SamplingRates {
  /** How many traces a second are exported whatever there is: a quiet platform shows everything. */
  readonly allUpTo: number;
  /** Which part of those beyond, from 0 to 1. */
  readonly share: number;
}

/**
 * Decides at the beginning of a span whether it is exported as it goes.
 *
 * What goes on with a trace follows its flag: it comes from another part of the platform, and the gateway passes on nobody
 * else's. A trace that is begun for several others here, such as that of a batch, is exported if one of them is.
 */
export class HeadSampler {
  readonly #whatever: TokenBucket;
  readonly #share: number;
  #isExported = false;
  #until = 0;

  constructor({ allUpTo, share }: SamplingRates) {
    this.#whatever = new TokenBucket(allUpTo);
    this.#share = share;
  }

  /** Whether a span is exported that begins within `parent`, or a trace that begins without one. */
  samples(parent: SpanContext | undefined, links: readonly Link[] = [], now = performance.now()): boolean {
    if (parent !== undefined) return hasFlag(parent);
    const served = links.filter(({ context }) => context.isRemote !== true);
    if (served.length > 0) return served.some(({ context }) => hasFlag(context));
    if (now >= this.#until) {
      this.#until = now + TOGETHER_MS;
      this.#isExported = Math.random() < this.#share;
    }
    return this.#whatever.take() || this.#isExported;
  }
}

function hasFlag({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
