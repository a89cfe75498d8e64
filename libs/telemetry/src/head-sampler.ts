import { Allowance } from '@action-platform/admission';
import {
  type Attributes,
  type Context,
  type Link,
  type SpanContext,
  type SpanKind,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace';

/** How much is exported of what begins here. */
export interface SamplingRates {
  /** How many traces a second are exported whatever there is: a quiet platform shows everything. */
  readonly allUpTo: number;
  /** Which part of those beyond, from 0 to 1. */
  readonly share: number;
}

/**
 * Decides at the beginning of a trace whether it is exported as it goes. Everything is recorded, as all may turn out to be wanted.
 *
 * What goes on with a trace follows its flag: it comes from another part of the platform, and the gateway passes on nobody
 * else's. A trace that is begun for several others here, such as that of a batch, is exported if one of them is.
 */
export class HeadSampler implements Sampler {
  readonly #whatever: Allowance;
  readonly #share: number;

  constructor({ allUpTo, share }: SamplingRates) {
    this.#whatever = new Allowance(allUpTo);
    this.#share = share;
  }

  shouldSample(
    context: Context,
    _traceId: string,
    _name: string,
    _kind: SpanKind,
    _attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const parent = trace.getSpanContext(context);
    const isSampled = parent === undefined ? this.#samplesNew(links) : hasFlag(parent);
    return isSampled ? SAMPLED : RECORDED;
  }

  #samplesNew(links: readonly Link[]): boolean {
    const served = links.filter(({ context }) => context.isRemote !== true);
    if (served.length > 0) return served.some(({ context }) => hasFlag(context));
    return this.#whatever.take() || Math.random() < this.#share;
  }
}

const SAMPLED: SamplingResult = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const RECORDED: SamplingResult = { decision: SamplingDecision.RECORD };

function hasFlag({ traceFlags }: SpanContext): boolean {
  return (traceFlags & TraceFlags.SAMPLED) !== 0;
}
