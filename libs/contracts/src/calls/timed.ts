import { ActionError } from '../errors/action-error.ts';

/** Work with a deadline. */
export interface Timed {
  /**
   * The deadline, in milliseconds of `performance.now()`. Cancellation moves it to now: read it again where it matters.
   */
  readonly deadline: number;
}

/** Work without a deadline: recovery, expiry, the completion of writes. */
export const inBackground: Timed = { deadline: Number.POSITIVE_INFINITY };

/** Throws ActionError `action_platform_unavailable` after the deadline, so that the next step does not begin. */
export function requireTimeLeft({ deadline }: Timed): void {
  if (performance.now() >= deadline) throw new ActionError('action_platform_unavailable');
}
