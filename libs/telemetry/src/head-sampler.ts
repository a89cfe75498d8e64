import { Allowance } from '@action-platform/admission';
import { type Link, type SpanContext, TraceFlags } from '@opentelemetry/api';

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
  readonly #whatever: Allowance;
  readonly #share: number;

  constructor({ allUpTo, share }: SamplingRates) {
    this.#whatever = new Allowance(allUpTo);
    this.#share = share;
  }

  /** Whether a span is exported that begins within `parent`, or a trace that begins without one. */
  samples(parent: SpanContext | undefined, links: readonly Link[] = []): boolean {
    if (parent !== undefined) return hasFlag(parent);
    const served = links.filter(({ context }) => context.isRemote !== true);
    if (served.length > 0) return served.some(({ context }) => hasFlag(context));
    return this.#whatever.take() || Math.random() < this.#share;
  }
}

function hasFlag({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
