import type { Timed } from '@action-platform/contracts/calls';
import type { MaximumCadence } from '@action-platform/contracts/resources';
import { unlessTaken, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { CountedRun } from './full-window.ts';
import type { StoredRun } from './stored-run.ts';
import type { LogEntry } from './window.ts';

/**
 * The time for which an entry is stored after it left the window, in milliseconds. `KEPT_AFTER_WINDOW_MS` is far longer
 * than any write takes, so no write is prepared for one sequence of numbers and arrives in the next.
 */
const KEPT_AFTER_WINDOW_MS = 3_600_000;

/** The cadence of a routine grant. */
export interface CadenceOfGrant {
  readonly workspaceId: string;
  readonly userId: string;
  readonly grantId: string;
  readonly cadence: MaximumCadence;
}

/** The stored run log of one grant. */
export class RunLog {
  readonly #runs: Collection<StoredRun>;
  readonly #grantId: string;
  readonly #member: Required<Pick<StoredRun, 'workspace_id' | 'user_id'>>;
  /** The length of the window, in milliseconds. */
  readonly #period: number;
  readonly #timed: Timed;

  constructor(
    runs: Collection<StoredRun>,
    { workspaceId, userId, grantId, cadence }: CadenceOfGrant,
    timed: Timed,
  ) {
    this.#runs = runs;
    this.#grantId = grantId;
    this.#member = { workspace_id: workspaceId, user_id: userId };
    this.#period = cadence.periodSeconds * 1000;
    this.#timed = timed;
  }

  /** The given invocation ids that the window ending now holds. */
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

  /** The last entry; undefined when the log is empty. */
  async last(): Promise<LogEntry | undefined> {
    const options = { sort: { seq: -1 }, ...within(this.#timed) } as const;
    const last = await this.#runs.findOne({ grant_id: this.#grantId }, options);
    return last === null ? undefined : { seq: last.seq, at: last.at.getTime() };
  }

  /**
   * Keeps the last entry when the database may delete it soon; false when the database has deleted it. A replica that has read the entry appends the next number,
   * so no other replica may find an empty log meanwhile and begin with 1.
   */
  async keep(last: LogEntry | undefined, now: number): Promise<boolean> {
    if (last === undefined || now < last.at + this.#period + KEPT_AFTER_WINDOW_MS / 2) return true;
    const later = { $max: { expires_at: new Date(now + KEPT_AFTER_WINDOW_MS) } };
    const entry = { grant_id: this.#grantId, seq: last.seq };
    return (await this.#runs.updateOne(entry, later, within(this.#timed))).matchedCount === 1;
  }

  /** The times of the entries that must leave the window before `wanted` more runs can be counted, by their numbers. */
  async leaving(
    last: LogEntry | undefined,
    invocations: number,
    wanted: number,
  ): Promise<(seq: number) => number | undefined> {
    const from = (last?.seq ?? 0) - invocations;
    const query = { grant_id: this.#grantId, seq: { $gt: from, $lte: from + wanted } };
    const entries = await this.#runs.find(query, within(this.#timed)).toArray();
    const times = new Map(entries.map(({ seq, at }) => [seq, at.getTime()]));
    return (seq) => times.get(seq);
  }

  /** The first runs from a number on, at most `limit`. */
  async countedFrom(seq: number, limit: number): Promise<readonly CountedRun[]> {
    const query = { grant_id: this.#grantId, seq: { $gte: seq } };
    const entries = this.#runs.find(query, { sort: { seq: 1 }, limit, ...within(this.#timed) });
    return await entries
      .map(({ invocation_id, at }) => ({
        invocationId: invocation_id,
        until: at.getTime() + this.#period,
      }))
      .toArray();
  }

  /** Appends the entries in order, each with the id at its position; false when another replica has taken a number. */
  async append(entries: readonly LogEntry[], ids: readonly string[]): Promise<boolean> {
    if (entries.length === 0) return true;
    const runs = entries.map(({ seq, at }, index) => ({
      ...this.#member,
      grant_id: this.#grantId,
      seq,
      invocation_id: ids[index]!,
      at: new Date(at),
      expires_at: new Date(at + this.#period + KEPT_AFTER_WINDOW_MS),
    }));
    return await unlessTaken(this.#runs.insertMany(runs, { ordered: true, ...within(this.#timed) }));
  }
}
