import type { Timed } from '@action-platform/contracts/calls';
import type { ExactLimit } from '@action-platform/contracts/limits';
import { type StoredDocuments, unlessTaken, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { StoredExecution } from './stored-execution.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = DAY_MS / 96;

/** How many new keys a Workspace has used in each quarter of an hour of the last day: `q1980301`, by their number since 1970. */
export interface StoredKeyCounts {
  /** The Workspace. */
  readonly _id: string;
  readonly quarters: Readonly<Record<string, number>>;
}

export const storedKeyCounts: StoredDocuments<StoredKeyCounts> = {
  collection: 'key_counts',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
};

/**
 * The exact limit of new keys in a day. Each key is counted by one conditional update before its execution is stored, so concurrent calls
 * never exceed the limit. A key that a crash left without an execution counts for a day.
 */
export class NewKeys {
  readonly #counts: Collection<StoredKeyCounts>;
  readonly #executions: Collection<StoredExecution>;
  /** How many a Workspace may use within 24 hours. */
  readonly max: ExactLimit;

  constructor(counts: Collection<StoredKeyCounts>, executions: Collection<StoredExecution>, max: ExactLimit) {
    this.#counts = counts;
    this.#executions = executions;
    this.max = max;
  }

  /** Counts one more key of a Workspace. @returns its quarter; undefined at the limit, where it counts nothing */
  async take(_id: string, timed: Timed): Promise<string | undefined> {
    for (;;) {
      const now = Date.now();
      const quarter = quarterOf(now);
      const isRecent = { $gte: ['$$this.k', quarterOf(now - DAY_MS)] };
      const recent = { $filter: { input: { $objectToArray: '$quarters' }, cond: isRecent } };
      const used = { $sum: { $map: { input: recent, in: '$$this.v' } } };
      const more = { $add: [{ $ifNull: [`$quarters.${quarter}`, 0] }, 1] };
      const { matchedCount } = await this.#counts.updateOne(
        { _id, $expr: { $lt: [used, this.max] } },
        [{ $set: { [`quarters.${quarter}`]: more } }, { $set: { quarters: { $arrayToObject: recent } } }],
        within(timed),
      );
      if (matchedCount === 1) return quarter;
      const counts = await this.#counts.findOne({ _id }, within(timed));
      if (counts === null) await this.#begin(_id, now, timed);
      else if (keysSince(now - DAY_MS, counts) >= this.max) return undefined;
    }
  }

  /** Counts a key no longer that was not new: an equal call had it first. */
  async giveBack(_id: string, quarter: string, timed: Timed): Promise<void> {
    await this.#counts.updateOne({ _id }, { $inc: { [`quarters.${quarter}`]: -1 } }, within(timed));
  }

  /** Begins the counts of a Workspace with the executions that it has, unless another call has begun them. */
  async #begin(workspace_id: string, now: number, timed: Timed): Promise<void> {
    const today = { workspace_id, created_at: { $gt: new Date(now - DAY_MS) } };
    const there = await this.#executions.countDocuments(today, { limit: this.max, ...within(timed) });
    const counts = { _id: workspace_id, quarters: { [quarterOf(now)]: there } };
    await unlessTaken(this.#counts.insertOne(counts, within(timed)));
  }
}

function keysSince(ms: number, { quarters }: StoredKeyCounts): number {
  return Object.entries(quarters).reduce((sum, [name, keys]) => sum + (name >= quarterOf(ms) ? keys : 0), 0);
}

/** The name of a quarter; names of one length sort by time. */
function quarterOf(ms: number): string {
  return `q${Math.floor(ms / QUARTER_MS)}`;
}
