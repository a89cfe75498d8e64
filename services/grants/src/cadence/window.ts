import type { MaximumCadence } from '@action-platform/contracts';

/** The number and the time of an entry of a run log; the time in milliseconds since the epoch. */
export interface LogEntry {
  readonly seq: number;
  readonly at: number;
}

/** The room that a window has. */
export interface Room {
  /** The entries for the first runs, in order. */
  readonly entries: readonly LogEntry[];
  /** For the other runs: milliseconds until the next one has room. */
  readonly waitMs: number;
}

/**
 * The entries that up to `wanted` more runs get now. The window slides: a run counted at `t` is in it until `t + period`,
 * not included, so no stretch of that length has more than `invocations` runs. Run n has room once run n − invocations has
 * left the window: the log is in order of time, so one comparison stands for counting.
 *
 * @param last the last entry; undefined when the log is empty.
 * @param countedAt the time of an entry in milliseconds; undefined when it was deleted. It is called with numbers from
 *   `last.seq + 1 − invocations` to `last.seq + wanted − invocations`.
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
  // After the clock was set back, time stands still until it has caught up: times never decrease.
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
