import type { MaximumCadence } from '@action-platform/contracts/resources';

/** The number and the time of an entry of a run log; the time in milliseconds since the epoch. */
export interface LogEntry {
  readonly seq: number;
  readonly at: number;
}

/** The room in a window. */
export interface Room {
  /** The entries for the first runs, in order. */
  readonly entries: readonly LogEntry[];
  /** For the other runs: milliseconds until the next one has room. */
  readonly waitMs: number;
}

/**
 * The entries for up to `wanted` more runs now. The window slides: a run counted at `t` is in it until just before
 * `t + period`, so no stretch of that length has more than `invocations` runs. Run n has room once run n − invocations has
 * left the window: the log is ordered by time, so one comparison replaces counting.
 *
 * @param last the last entry; undefined when the log is empty.
 * @param countedAt the time of an entry in milliseconds; undefined for a deleted one. This function calls it with numbers
 *   from `last.seq + 1 − invocations` to `last.seq + wanted − invocations`.
 * @param now milliseconds since the epoch.
 */
export function nextEntries(
  cadence: MaximumCadence,
  last: LogEntry | undefined,
  countedAt: (seq: number) => number | undefined,
  now: number,
  wanted: number,
): Room {
  const { invocations } = cadence;
  const period = cadence.periodSeconds * 1000;
  const lastSeq = last?.seq ?? 0;
  // Times never decrease: after the clock was set back, entries repeat the last time until the clock has caught up.
  const time = Math.max(now, last?.at ?? 0);
  const entries: LogEntry[] = [];
  while (entries.length < wanted) {
    const seq = lastSeq + entries.length + 1;
    const before = seq - invocations;
    const leaving = before > lastSeq ? time : countedAt(before);
    if (leaving !== undefined && leaving > time - period) return { entries, waitMs: leaving + period - now };
    entries.push({ seq, at: time });
  }
  return { entries, waitMs: 0 };
}
