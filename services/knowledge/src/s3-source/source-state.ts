import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { Lease, openStored, within } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import { PAGE_WITHIN_MS } from './bucket.ts';
import { type Condition, S3_SOURCE_ID, type StoredSource, storedSources } from './stored-source.ts';

/** The duration of a replica's turn without confirmation, in milliseconds. It confirms before and after each page. */
const TURN_MS = 2 * PAGE_WITHIN_MS;

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
    const sources = openStored(db, storedSources);
    await sources.updateOne({ _id: S3_SOURCE_ID }, { $setOnInsert: { left_out: 0 } }, { upsert: true });
    return new SourceState(sources);
  }

  /** What the last pass of any replica found. */
  async read(): Promise<Condition> {
    return conditionOf(await this.#sources.findOne({ _id: S3_SOURCE_ID }, within(inBackground)));
  }

  /** Makes a pass due now, also when one is under way. */
  async makeDue(): Promise<void> {
    await this.#sources.updateOne(
      { _id: S3_SOURCE_ID },
      { $currentDate: { due_at: true } },
      within(inBackground),
    );
  }

  /** Takes the turn; undefined while no pass is due, or another replica has it. */
  async take(): Promise<Turn | undefined> {
    const owner = randomUUID();
    const isDue = { _id: S3_SOURCE_ID, $expr: { $lte: ['$due_at', '$$NOW'] } } as const;
    const lease = new Lease(this.#sources, { filter: isDue, owner, durationMs: TURN_MS });
    if ((await lease.take(inBackground)) === undefined) return undefined;
    const ours = { _id: S3_SOURCE_ID, 'lease.owner': owner } as const;
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
