import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { Lease, type StoredLease, within } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import { PAGE_WITHIN_MS } from './bucket.ts';

/** The duration of a replica's turn without confirmation, in milliseconds. It confirms before and after each page. */
const TURN_MS = 2 * PAGE_WITHIN_MS;
const ID = 's3';

/** What the last pass over a bucket found. */
export interface Condition {
  /** Why the listing is kept: the code of the failure, or `empty`. Undefined while it follows the bucket. */
  readonly kept?: string | undefined;
  /** The number of keys that name no visible file. */
  readonly left_out: number;
}

/** The stored form of the source, one for all replicas. */
interface StoredSource extends Partial<Condition> {
  readonly _id: typeof ID;
  /** The replica whose turn it is. */
  readonly lease?: StoredLease;
  /** The start of the next pass; without one a pass is due. */
  readonly due_at?: Date;
}

/** Another replica has taken over the turn, because this one was slow. */
export class TurnLost extends Error {}

/** The right of one replica to list the bucket and to change the listing. */
export interface Turn {
  /** What the last pass found. */
  readonly before: Condition;
  /** @throws TurnLost */
  confirm(): Promise<void>;
  /** Records what the pass found, and lets the next one begin after a pause in milliseconds, or earlier when requested. */
  end(found: Condition, pauseMs: number): Promise<void>;
}

/** The state of the source, which replicas share. All times are by the clock of the database. */
export class SourceState {
  readonly #sources: Collection<StoredSource>;

  private constructor(sources: Collection<StoredSource>) {
    this.#sources = sources;
  }

  static async open(db: Db): Promise<SourceState> {
    const sources = db.collection<StoredSource>('sources');
    await sources.updateOne({ _id: ID }, { $setOnInsert: { left_out: 0 } }, { upsert: true });
    return new SourceState(sources);
  }

  /** What the last pass of any replica found. */
  async read(): Promise<Condition> {
    return conditionOf(await this.#sources.findOne({ _id: ID }, within(inBackground)));
  }

  /** Makes a pass due now, also when one is under way. */
  async makeDue(): Promise<void> {
    await this.#sources.updateOne({ _id: ID }, { $currentDate: { due_at: true } }, within(inBackground));
  }

  /** Takes the turn; undefined while no pass is due, or another replica has it. */
  async take(): Promise<Turn | undefined> {
    const owner = randomUUID();
    const isDue = { _id: ID, $expr: { $lte: ['$due_at', '$$NOW'] } } as const;
    const lease = new Lease(this.#sources, { filter: isDue, owner, durationMs: TURN_MS });
    if ((await lease.take(inBackground)) === undefined) return undefined;
    const ours = { _id: ID, 'lease.owner': owner } as const;
    // A request for a further pass sets the field again.
    const before = await this.#sources.findOneAndUpdate(
      ours,
      { $unset: { due_at: '' } },
      within(inBackground),
    );
    return {
      before: conditionOf(before),
      confirm: async () => {
        if (!(await lease.confirm(inBackground))) throw new TurnLost();
      },
      end: async ({ kept, left_out }, pauseMs) => {
        const due_at = { $ifNull: ['$due_at', { $add: ['$$NOW', pauseMs] }] };
        const set = { left_out, due_at, kept: kept ?? '$$REMOVE' };
        await this.#sources.updateOne(ours, [{ $set: set }, { $unset: 'lease' }], within(inBackground));
      },
    };
  }
}

function conditionOf(stored: StoredSource | null): Condition {
  return { kept: stored?.kept, left_out: stored?.left_out ?? 0 };
}
