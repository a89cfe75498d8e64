import type { Outcome } from '@action-platform/batching';
import { ActionError } from '@action-platform/contracts';

/** A write with the time after which it is not sent any more: the requester has stopped waiting for it. */
export interface TimedWrite {
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
}

/** @throws ActionError `action_platform_unavailable` when the deadline of a write has passed: it was not sent. */
export function requireTimeLeft(deadline: number): void {
  if (performance.now() >= deadline) throw new ActionError('action_platform_unavailable');
}

/**
 * Sends those writes of a batch whose deadline has not passed, and answers the others with
 * `action_platform_unavailable`: nothing was done for them.
 *
 * @param send gives a result for every write it is handed, in order.
 */
export async function sendInTime<Write extends TimedWrite, Result>(
  writes: readonly Write[],
  send: (writes: readonly Write[]) => Promise<readonly Result[]>,
): Promise<Outcome<Result>[]> {
  const now = performance.now();
  const inTime = writes.filter(({ deadline }) => now < deadline);
  const results = (inTime.length === 0 ? [] : await send(inTime)).values();
  return writes.map(({ deadline }) =>
    now < deadline
      ? { value: results.next().value! }
      : { error: new ActionError('action_platform_unavailable') },
  );
}
