import { ActionError } from '../errors/action-error.ts';

/** Work that somebody waits for, until a time. */
export interface Timed {
  /**
   * When they stop waiting, in milliseconds of `performance.now()`. It may come earlier than it was said: whoever keeps
   * this looks at it when it matters.
   */
  readonly deadline: number;
}

/** Work that is done whoever waits for it: recovery, expiry, the end of what was begun. */
export const inBackground: Timed = { deadline: Number.POSITIVE_INFINITY };

/** @throws ActionError `action_platform_unavailable` when nobody waits any more: what comes next is not begun. */
export function requireTimeLeft({ deadline }: Timed): void {
  if (performance.now() >= deadline) throw new ActionError('action_platform_unavailable');
}
