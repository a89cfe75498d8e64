import { Allowance } from '@action-platform/admission';
import type { ActionError } from '@action-platform/contracts';
import { type SpanContext, TraceFlags } from '@opentelemetry/api';

/** How long a request takes, in milliseconds, for its line to be written at `info`. */
const SLOW_MS = 1_000;
/** How many lines a second a process writes of what failed; in a flood of failures the others say nothing new. */
const FAILURES_PER_SECOND = 20;
const SAVED_SECONDS = 5;

/**
 * How important the line of a request is: `warn` when it has failed, `info` when it was slow or is traced as it goes, which on a
 * quiet platform is every one, otherwise `debug`. So what is written by default follows what is traced, and at level `debug`
 * every request has its line in every process.
 */
export class LineLevels {
  readonly #failures = new Allowance(FAILURES_PER_SECOND, SAVED_SECONDS);

  of(
    error: ActionError | undefined,
    durationMs: number,
    place: SpanContext | undefined,
  ): 'warn' | 'info' | 'debug' {
    if (error !== undefined && error.status >= 500) return this.#failures.take() ? 'warn' : 'debug';
    const isTraced = place !== undefined && (place.traceFlags & TraceFlags.SAMPLED) !== 0;
    return isTraced || durationMs >= SLOW_MS ? 'info' : 'debug';
  }
}
