import type { MaximumCadence } from '@action-platform/contracts';

/** A place in the chain of a grant's counted runs; `at` in milliseconds since the epoch. */
export interface Place {
  readonly seq: number;
  readonly at: number;
}

/** Which places in the chain can be taken. */
export interface FreePlaces {
  /** The places for the first runs that want to be counted, in order. */
  readonly places: readonly Place[];
  /** For the runs left over: milliseconds until the next place is free. */
  readonly waitMs: number;
}

/**
 * How many of `wanted` runs can be counted now. The window slides: a run counted at `t` weighs until
 * `t + period`, not included, so in no stretch of time of that length more than `invocations` runs are counted.
 * The run with number n may follow once the run with number n − invocations has left the window; the
 * chain is in order of time, so this one comparison stands for counting.
 *
 * @param head the last place taken; undefined when no run is known.
 * @param takenAt when a place was taken, in milliseconds; undefined when that is so long ago that it was deleted.
 *   Asked about numbers from `head.seq + 1 − invocations` to `head.seq + wanted − invocations`.
 * @param now milliseconds since the epoch.
 */
export function freePlaces(
  cadence: MaximumCadence,
  head: Place | undefined,
  takenAt: (seq: number) => number | undefined,
  now: number,
  wanted: number,
): FreePlaces {
  const { invocations } = cadence;
  const period = cadence.periodSeconds * 1000;
  const last = head?.seq ?? 0;
  // A clock that was set back does not bend the chain: time stands still until it has caught up.
  const time = Math.max(now, head?.at ?? 0);
  const places: Place[] = [];
  while (places.length < wanted) {
    const seq = last + places.length + 1;
    const before = seq - invocations;
    const leaving = before > last ? time : takenAt(before);
    if (leaving !== undefined && leaving > time - period) return { places, waitMs: leaving + period - now };
    places.push({ seq, at: time });
  }
  return { places, waitMs: 0 };
}
