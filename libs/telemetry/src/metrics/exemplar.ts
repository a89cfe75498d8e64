import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/** A measurement whose trace tells more of it (OpenMetrics 1.0, "Exemplars"). */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
}

/** Whether a trace that was held at first was exported after all. */
export type IsKept = (traceId: string) => boolean;

/**
 * The last measurement of a bucket whose trace was exported: an exemplar that leads nowhere is worse than none. Beside it the last whose
 * trace is held; whether that one is kept is known later. What fails or is slow is kept, and has series and buckets of its own, so
 * there the last one that is held mostly is one that was kept.
 */
export class LastExported {
  #exported: Exemplar | undefined;
  #held: Exemplar | undefined;

  note({ traceId, traceFlags }: SpanContext, value: number): void {
    const exemplar = { traceId, value, at: Date.now() };
    if ((traceFlags & TraceFlags.SAMPLED) === 0) this.#held = exemplar;
    else this.#exported = exemplar;
  }

  read(isKept: IsKept): Exemplar | undefined {
    const held = this.#held;
    if (held !== undefined && held.at >= (this.#exported?.at ?? 0) && isKept(held.traceId))
      this.#exported = held;
    return this.#exported;
  }
}
