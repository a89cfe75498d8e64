import { ActionError } from '@action-platform/contracts/errors';
import type { MaximumCadence } from '@action-platform/contracts/resources';

/** The most counted runs that a refusal names: a window may have thousands. */
export const NAMED_RUNS = 10;

/** A run that counts until it leaves the window; the time in milliseconds since the epoch. */
export interface CountedRun {
  readonly invocationId: string;
  readonly until: number;
}

/** A window without room for a further run. */
export interface FullWindow {
  /** Milliseconds until the next run has room. */
  readonly waitMs: number;
  /** The runs that leave the window first, in order: at most {@link NAMED_RUNS}. */
  readonly leavingFirst: readonly CountedRun[];
}

/**
 * The refusal of a run: the cadence, and the runs that count with their ends (RFC 3339).
 *
 * @returns `grant_cadence_exceeded` with the whole seconds until the window has room.
 */
export function cadenceExceeded(
  { invocations, periodSeconds }: MaximumCadence,
  { waitMs, leavingFirst }: FullWindow,
): ActionError {
  const named = leavingFirst.map(
    ({ invocationId, until }) => `${JSON.stringify(invocationId)} until ${new Date(until).toISOString()}`,
  );
  const others = invocations > named.length ? [`${invocations - named.length} more later`] : [];
  const cadence = `${invocations} ${invocations === 1 ? 'run' : 'runs'} in ${periodSeconds} s`;
  return new ActionError('grant_cadence_exceeded', {
    message: `The grant has reached its maximum cadence of ${cadence}. Counted runs: ${[...named, ...others].join(', ')}.`,
    retryAfter: Math.ceil(waitMs / 1000),
  });
}
