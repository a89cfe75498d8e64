import type { MaximumCadence, Timed } from '@action-platform/contracts';
import { isDuplicateKey, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredRun } from './stored-run.ts';
import type { Slot } from './window.ts';

/**
 * How long an entry is kept after it left the window, in milliseconds. When all entries of a grant are gone its
 * log begins anew, and a write that was planned for the old log must not land in the new one. It cannot:
 * no write is under way nearly this long.
 */
const KEPT_AFTER_WINDOW_MS = 3_600_000;

/** The runs that were counted for one grant, as they are stored. */
export class RunLog {
  readonly #runs: Collection<StoredRun>;
  readonly #grantId: string;
  /** The length of the window, in milliseconds. */
  readonly #period: number;
  readonly #timed: Timed;

  constructor(
    runs: Collection<StoredRun>,
    { grantId, cadence }: { readonly grantId: string; readonly cadence: MaximumCadence },
    timed: Timed,
  ) {
    this.#runs = runs;
    this.#grantId = grantId;
    this.#period = cadence.periodSeconds * 1000;
    this.#timed = timed;
  }

  /** Those of the invocation ids that weigh in the window that ends now. */
  async countedAmong(ids: ReadonlySet<string>, now: number): Promise<ReadonlySet<string>> {
    const query = {
      grant_id: this.#grantId,
      invocation_id: { $in: [...ids] },
      at: { $gt: new Date(now - this.#period) },
    };
    const found = this.#runs.find(query, {
      projection: { _id: 0, invocation_id: 1 },
      ...within(this.#timed),
    });
    return new Set(await found.map(({ invocation_id }) => invocation_id).toArray());
  }

  /** The last slot taken; undefined when none is known. */
  async head(): Promise<Slot | undefined> {
    const options = { sort: { seq: -1 }, ...within(this.#timed) } as const;
    const last = await this.#runs.findOne({ grant_id: this.#grantId }, options);
    return last === null ? undefined : { seq: last.seq, at: last.at.getTime() };
  }

  /** When the slots were taken that must have left the window before `wanted` more can be taken. */
  async takenBetween(
    head: Slot | undefined,
    invocations: number,
    wanted: number,
  ): Promise<(seq: number) => number | undefined> {
    const last = head?.seq ?? 0;
    const query = {
      grant_id: this.#grantId,
      seq: { $gt: last - invocations, $lte: last - invocations + wanted },
    };
    const entries = await this.#runs.find(query, within(this.#timed)).toArray();
    const times = new Map(entries.map(({ seq, at }) => [seq, at.getTime()]));
    return (seq) => times.get(seq);
  }

  /** Takes the slots in order for as many ids; false as soon as somebody else has taken one of them. */
  async take(slots: readonly Slot[], ids: readonly string[]): Promise<boolean> {
    if (slots.length === 0) return true;
    const entries = slots.map(({ seq, at }, index) => ({
      grant_id: this.#grantId,
      seq,
      invocation_id: ids[index]!,
      at: new Date(at),
      expires_at: new Date(at + this.#period + KEPT_AFTER_WINDOW_MS),
    }));
    try {
      await this.#runs.insertMany(entries, { ordered: true, ...within(this.#timed) });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }
}
