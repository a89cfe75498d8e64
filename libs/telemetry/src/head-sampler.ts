import { Allowance } from '@action-platform/admission';
import { type Attributes, type Context, type Link, type SpanKind, TraceFlags } from '@opentelemetry/api';
import {
  createAlwaysRecordSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';

/** How much is exported of what begins here. */
export interface SamplingRates {
  /** How many traces a second are exported whatever there is: a quiet platform shows everything. */
  readonly allUpTo: number;
  /** Which part of those beyond, from 0 to 1. */
  readonly share: number;
}

/** Decides at the beginning of a trace whether it is exported as it goes. */
export class HeadSampler implements Sampler {
  readonly #whatever: Allowance;
  readonly #share: number;

  constructor({ allUpTo, share }: SamplingRates) {
    this.#whatever = new Allowance(allUpTo);
    this.#share = share;
  }

  /**
   * Records everything, as all may turn out to be wanted. What goes on with a trace follows its flag: it comes from another
   * part of the platform, and the gateway passes on nobody else's.
   */
  static recordingAll(rates: SamplingRates): Sampler {
    return createAlwaysRecordSampler(new ParentBasedSampler({ root: new HeadSampler(rates) }));
  }

  /** A trace that is begun for several others here, such as that of a batch, is exported if one of them is. */
  shouldSample(
    _context: Context,
    _traceId: string,
    _name: string,
    _kind: SpanKind,
    _attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const served = links.filter(({ context: { isRemote } }) => isRemote !== true);
    const isSampled =
      served.length === 0
        ? this.#whatever.take() || Math.random() < this.#share
        : served.some(({ context: { traceFlags } }) => (traceFlags & TraceFlags.SAMPLED) !== 0);
    return { decision: isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }
}
