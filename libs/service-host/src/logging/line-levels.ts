import { type ActionError, errorCatalogue } from '@action-platform/contracts/errors';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';
import { failureLines } from './failure-lines.ts';

/**
 * The level of the line of a request: `warn` when the request has failed; `info` when the request was slow, is traced as it goes (at low
 * load every request is), or was refused with a code that keeps its trace; otherwise `debug`. So the log follows the traces by default, and
 * at level `debug` every request has its line in every process.
 */
export class LineLevels {
  readonly #slowMs: number;
  readonly #failures = failureLines();
  readonly #refusals = failureLines();

  /** @param slowMs how long a request takes whose trace is kept, in milliseconds. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  of(
    error: ActionError | undefined,
    durationMs: number,
    place: SpanContext | undefined,
  ): 'warn' | 'info' | 'debug' {
    if (error?.isPlatformFailure) return this.#failures.take() ? 'warn' : 'debug';
    const isTraced = place !== undefined && (place.traceFlags & TraceFlags.SAMPLED) !== 0;
    if (isTraced || durationMs >= this.#slowMs) return 'info';
    const keepsTrace = error !== undefined && errorCatalogue[error.code].keepsTrace;
    return keepsTrace && this.#refusals.take() ? 'info' : 'debug';
  }
}
