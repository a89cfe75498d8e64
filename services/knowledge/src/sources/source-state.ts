import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { Lease, openStored, type StoredDocuments, type StoredLease, within } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import type { SourceKind } from '../files/stored-file.ts';

/** The time of a lease without confirmation, in milliseconds: longer than a step of a pass takes. */
const LEASE_MS = 60_000;
/** The pause between two confirmations while a pass reads, in milliseconds. */
export const CONFIRM_EVERY_MS = 20_000;

/** The findings of the last pass over a source. */
export interface Condition {
  /** Why the listing is kept: the code of the failure, or `emptied`. Undefined while it follows the source. */
  readonly kept?: string | undefined;
  /** The number of keys that name no visible file. */
  readonly left_out: number;
}

/** The stored form of a source, one for all replicas. */
interface StoredSource extends Partial<Condition> {
  readonly _id: SourceKind;
  /** The replica that makes a pass. */
  readonly lease?: StoredLease;
  /** The start of the next pass; without one a pass is due. */
  readonly due_at?: Date;
}

export const storedSources: StoredDocuments<StoredSource> = {
  collection: 'sources',
  shardKey: { unsharded: 'one document for each source' },
};

/** An aggregation expression. A missing date comes before every other. */
const IS_DUE = { $lte: ['$due_at', '$$NOW'] };

/** Thrown when another replica has taken over the pass, because this one was slow. */
export class LeaseLost extends Error {}

/** The right of one replica to list the source and to change the listing. */
export interface LeasedPass {
  /** The findings of the last pass. */
  readonly before: Condition;
  /** @throws LeaseLost */
  confirm(): Promise<void>;
  /**
   * Records what the pass found, and lets the next one begin after a pause in milliseconds, or earlier when requested.
   *
   * @returns false when another replica has taken over the pass: nothing is recorded.
   */
  end(found: Condition, pauseMs: number): Promise<boolean>;
}

/** The state of a source, which replicas share. All times are by the clock of the database. */
export class SourceState {
  readonly #sources: Collection<StoredSource>;
  readonly #kind: SourceKind;

  private constructor(sources: Collection<StoredSource>, kind: SourceKind) {
    this.#sources = sources;
    this.#kind = kind;
  }

  static async open(db: Db, kind: SourceKind): Promise<SourceState> {
    const sources = openStored(db, storedSources);
    const options = { upsert: true, ...within(inBackground) };
    await sources.updateOne({ _id: kind }, { $setOnInsert: { left_out: 0 } }, options);
    return new SourceState(sources, kind);
  }

  /** The findings of the last pass of any replica, and in how many milliseconds the next one is due: 0 or less when it is due. */
  async read(): Promise<{ readonly condition: Condition; readonly dueInMs: number }> {
    const dueInMs = { $ifNull: [{ $subtract: ['$due_at', '$$NOW'] }, 0] };
    const options = { projection: { kept: 1, left_out: 1, dueInMs }, ...within(inBackground) };
    const found = await this.#sources.findOne<StoredSource & { dueInMs: number }>(
      { _id: this.#kind },
      options,
    );
    return { condition: conditionOf(found), dueInMs: Number(found?.dueInMs ?? Number.POSITIVE_INFINITY) };
  }

  /** Makes a pass due now, also when one is under way. */
  async makeDue(): Promise<void> {
    const due = { $currentDate: { due_at: true } } as const;
    await this.#sources.updateOne({ _id: this.#kind }, due, within(inBackground));
  }

  /** Leases the next pass; undefined while none is due, or another replica has it. */
  async take(): Promise<LeasedPass | undefined> {
    const owner = randomUUID();
    const isDue = { _id: this.#kind, $expr: IS_DUE };
    const lease = new Lease(this.#sources, { filter: isDue, owner, durationMs: LEASE_MS });
    if ((await lease.take(inBackground)) === undefined) return undefined;
    const ours = { _id: this.#kind, 'lease.owner': owner };
    // A request for a further pass sets the field again.
    const asTaken = { $unset: { due_at: '' } } as const;
    const before = await this.#sources.findOneAndUpdate(ours, asTaken, within(inBackground));
    return {
      before: conditionOf(before),
      confirm: async () => {
        if (!(await lease.confirm(inBackground))) throw new LeaseLost();
      },
      end: async ({ kept, left_out }, pauseMs) => {
        const due_at = { $ifNull: ['$due_at', { $add: ['$$NOW', pauseMs] }] };
        const set = { left_out, due_at, kept: kept ?? '$$REMOVE' };
        const update = [{ $set: set }, { $unset: 'lease' }];
        return (await this.#sources.updateOne(ours, update, within(inBackground))).matchedCount === 1;
      },
    };
  }
}

function conditionOf(stored: StoredSource | null): Condition {
  return { kept: stored?.kept, left_out: stored?.left_out ?? 0 };
}
