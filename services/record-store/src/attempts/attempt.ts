import type { Outcome } from '@action-platform/batching';
import { ActionError } from '@action-platform/contracts';
import { WRITE_SETTLED_AFTER_MS } from '@action-platform/mongo';

/** One try at a write: the reads it rests on, then the writes, all within a known time. */
export interface Attempt {
  /** No write of the attempt is sent later than this, in milliseconds of `performance.now()`. */
  readonly sendBefore: number;
}

/**
 * This long after an attempt began none of its writes can still be under way, in milliseconds: the last one was
 * sent before `sendBefore`. So whoever finds traces of an attempt that is older knows that it will not go on.
 */
export const ATTEMPT_OVER_AFTER_MS = 2 * WRITE_SETTLED_AFTER_MS;

/**
 * Begins an attempt, before its first read.
 *
 * @param deadline when the requester stops waiting, in milliseconds of `performance.now()`.
 * @throws ActionError `action_platform_unavailable` when that has passed.
 */
export function startAttempt(deadline: number): Attempt {
  const now = performance.now();
  if (now >= deadline) throw notSent();
  return { sendBefore: now + WRITE_SETTLED_AFTER_MS };
}

/**
 * Sends the items of a batch whose attempts may still write, and answers the others with
 * `action_platform_unavailable`: nothing was done for them.
 *
 * @param send gives a result for every item it is handed, in order.
 */
export async function sendInTime<Item extends Attempt, Result>(
  items: readonly Item[],
  send: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Outcome<Result>[]> {
  const now = performance.now();
  const isInTime = (item: Item) => now < item.sendBefore;
  const inTime = items.filter(isInTime);
  const results = (inTime.length === 0 ? [] : await send(inTime)).values();
  return items.map((item) => (isInTime(item) ? { value: results.next().value! } : { error: notSent() }));
}

function notSent(): ActionError {
  return new ActionError('action_platform_unavailable');
}
