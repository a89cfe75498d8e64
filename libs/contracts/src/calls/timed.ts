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

/** Whether the deadline lies ahead. */
export function hasTimeLeft({ deadline }: Timed): boolean {
  return performance.now() < deadline;
}

/** Throws ActionError `action_platform_unavailable` after the deadline, so that the next step does not begin. */
export function requireTimeLeft(timed: Timed): void {
  if (!hasTimeLeft(timed)) throw new ActionError('action_platform_unavailable');
}
