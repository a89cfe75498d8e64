import type { MaximumCadence } from '@action-platform/contracts';

/** A slot in the run log of a grant; `at` in milliseconds since the epoch. */
export interface Slot {
  readonly seq: number;
  readonly at: number;
}

/** Which slots can be taken. */
export interface FreeSlots {
  /** The slots for the first runs that want to be counted, in order. */
  readonly slots: readonly Slot[];
  /** For the runs left over: milliseconds until the next slot is free. */
  readonly waitMs: number;
}

/**
 * How many of `wanted` runs can be counted now. The window slides: a run counted at `t` weighs until
 * `t + period`, not included, so in no stretch of time of that length more than `invocations` runs are counted.
 * The run with number n may follow once the run with number n − invocations has left the window; the
 * log is in order of time, so this one comparison stands for counting.
 *
 * @param head the last slot taken; undefined when no run is known.
 * @param takenAt when a slot was taken, in milliseconds; undefined when that is so long ago that it was deleted.
 *   Asked about numbers from `head.seq + 1 − invocations` to `head.seq + wanted − invocations`.
 * @param now milliseconds since the epoch.
 */
export function freeSlots(
  cadence: MaximumCadence,
  head: Slot | undefined,
  takenAt: (seq: number) => number | undefined,
  now: number,
  wanted: number,
): FreeSlots {
  const { invocations } = cadence;
  const period = cadence.periodSeconds * 1000;
  const last = head?.seq ?? 0;
  // A clock that was set back does not bend the log: time stands still until it has caught up.
  const time = Math.max(now, head?.at ?? 0);
  const slots: Slot[] = [];
  while (slots.length < wanted) {
    const seq = last + slots.length + 1;
    const before = seq - invocations;
    const leaving = before > last ? time : takenAt(before);
    if (leaving !== undefined && leaving > time - period) return { slots, waitMs: leaving + period - now };
    slots.push({ seq, at: time });
  }
  return { slots, waitMs: 0 };
}
