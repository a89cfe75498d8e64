import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { BusyWorkspaces } from './busy-workspaces.ts';

/** How long a slot gathers, in milliseconds, and how many are kept. */
const SLOT_MS = 10_000;
const SLOTS = 6;

interface Slot {
  readonly since: number;
  /** Durations in microseconds. */
  readonly durations: RecordableHistogram;
  failed: number;
}

/** The calls that a process answered in the last minute. */
export interface Recent {
  /** The time that it is about. */
  readonly seconds: number;
  readonly answered: number;
  readonly failed: number;
  /** Null when nothing was answered. */
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

/** Figures of the last minute's calls, for `admin status`; metrics are exported and kept elsewhere. */
export class RecentCalls {
  readonly #slots: Slot[] = [];
  /** The same calls by Workspace. */
  readonly workspaces = new BusyWorkspaces();

  /** @param isFailure whether the call was answered with a failure of the platform's (5xx). */
  record(durationMs: number, isFailure: boolean): void {
    const slot = this.#current();
    slot.durations.record(Math.max(1, Math.round(durationMs * 1_000)));
    if (isFailure) slot.failed++;
  }

  read(): Recent {
    this.#current();
    const durations = createHistogram();
    for (const slot of this.#slots) durations.add(slot.durations);
    const answered = durations.count;
    const percentile = (share: number) =>
      answered === 0 ? null : Math.round(durations.percentile(share) / 10) / 100;
    return {
      seconds: Math.max(1, (performance.now() - this.#slots[0]!.since) / 1_000),
      answered,
      failed: this.#slots.reduce((sum, { failed }) => sum + failed, 0),
      p50_ms: percentile(50),
      p99_ms: percentile(99),
    };
  }

  /** The current slot; older slots are dropped. */
  #current(): Slot {
    const now = performance.now();
    while ((this.#slots[0]?.since ?? now) <= now - SLOTS * SLOT_MS) this.#slots.shift();
    const last = this.#slots.at(-1);
    if (last !== undefined && now < last.since + SLOT_MS) return last;
    const slot = { since: now, durations: createHistogram(), failed: 0 };
    this.#slots.push(slot);
    return slot;
  }
}
