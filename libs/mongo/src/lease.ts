import type { Timed } from '@action-platform/contracts/calls';
import type { Collection, Document, Filter } from 'mongodb';
import { within } from './time-limit.ts';

/** Keeps a wait within the range of a date. */
const MOST_DOUBLINGS = 30;

/** The owner of a lease, and the time until which no other may take it. */
export interface StoredLease {
  readonly owner: string;
  readonly until: Date;
  /** The owner, from its taking until it ends its attempt: an owner that stays is a process that ended, or hangs. */
  readonly begun_by?: string;
  /** How many attempts in a row failed or were interrupted. */
  readonly failures?: number;
}

/** Attempts that repeat by themselves: each attempt that fails, or ends its process, has the next one wait longer. */
export interface Repeated {
  /** The longest wait, in milliseconds. */
  readonly longestMs: number;
  /** Called by the attempt after one that was interrupted: its process ended, or has not settled it in time. */
  readonly onInterrupted: (failures: number) => void;
}

/** The document of a lease, and its owner. */
export interface LeaseOptions<Stored> {
  /** Matches the document while its work is not done. */
  readonly filter: Filter<Stored>;
  /** The id of the attempt; unique for every attempt. */
  readonly owner: string;
  /** The time of the lease from its taking or confirmation, in milliseconds. */
  readonly durationMs: number;
  /** Every attempt has the same time without it. */
  readonly repeated?: Repeated;
  /** The field of the lease: a document with several kinds of work has one for each. */
  readonly field?: string;
}

/**
 * The right to do the work of a document, stored in its field `lease`. One owner has it at a time, and a crashed owner loses
 * it after its time. All times are by the clock of the database, so the clocks of replicas need not agree.
 *
 * An attempt is marked as begun before it is made. Work that ends its process is found by this mark, and waits twice as long each time.
 */
export class Lease<Stored extends Document> {
  readonly #documents: Collection<Stored>;
  readonly #filter: Filter<Stored>;
  readonly #owner: string;
  readonly #durationMs: number;
  readonly #repeated: Repeated | undefined;
  readonly #field: string;
  #failures = 0;

  constructor(documents: Collection<Stored>, options: LeaseOptions<Stored>) {
    this.#documents = documents;
    this.#filter = options.filter;
    this.#owner = options.owner;
    this.#durationMs = options.durationMs;
    this.#repeated = options.repeated;
    this.#field = options.field ?? 'lease';
  }

  /** How many attempts in a row had failed or were interrupted when this owner took the lease. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Takes the lease when it is free or its time has passed.
   *
   * @param condition what else the document has to match.
   * @returns `first` when it had no owner before, so no owner has begun the work; `again` when it had another owner;
   *   undefined when another owner has it, or the filter matches no document.
   */
  async take(timed: Timed, condition: Filter<Stored> = {}): Promise<'first' | 'again' | undefined> {
    const field = this.#field;
    const isFree = { $lte: [{ $ifNull: [`$${field}.until`, '$$NOW'] }, '$$NOW'] };
    const isBegun = { $eq: [`$${field}.begun_by`, { $ifNull: [`$${field}.owner`, null] }] };
    const failures = { $add: [{ $ifNull: [`$${field}.failures`, 0] }, { $cond: [isBegun, 1, 0] }] };
    const begun = { $set: { [field]: { begun_by: this.#owner } } };
    const before = await this.#documents.findOneAndUpdate(
      this.#and({ $and: [condition, { $expr: isFree }] }),
      [{ $set: { [field]: { failures } } }, this.#extension(), begun],
      { returnDocument: 'before', ...within(timed) },
    );
    if (before === null) return undefined;
    const former = before[field] as StoredLease | undefined;
    const isInterrupted = former?.begun_by !== undefined && former.begun_by === former.owner;
    this.#failures = (former?.failures ?? 0) + (isInterrupted ? 1 : 0);
    if (isInterrupted) this.#repeated?.onInterrupted(this.#failures);
    return former === undefined ? 'first' : 'again';
  }

  /**
   * Restarts the time of the lease; false when another owner has taken it over.
   *
   * @param set fields that the same write sets, as expressions.
   */
  async confirm(timed: Timed, set: Document = {}): Promise<boolean> {
    const { matchedCount } = await this.#documents.updateOne(
      this.#ours(),
      [this.#extension(set)],
      within(timed),
    );
    return matchedCount === 1;
  }

  /** For how many milliseconds no other owner may take the lease, whoever has it; 0 when it is free, or the filter matches no document. */
  async remainingMs(timed: Timed): Promise<number> {
    const remaining = { $subtract: [`$${this.#field}.until`, '$$NOW'] };
    const [found] = await this.#documents
      .aggregate<{ remaining: number | null }>(
        [{ $match: this.#filter }, { $project: { remaining } }],
        within(timed),
      )
      .toArray();
    return Math.max(0, found?.remaining ?? 0);
  }

  /** Ends an attempt, so that another owner may take the lease `again` at once. */
  async end(timed: Timed): Promise<void> {
    const ended = { until: '$$NOW', begun_by: '$$REMOVE', failures: '$$REMOVE' };
    await this.#documents.updateOne(this.#ours(), [{ $set: { [this.#field]: ended } }], within(timed));
  }

  /** Gives the lease back as if nobody had taken it: the work was certainly not done, so the next owner takes it `first`. */
  async giveBack(timed: Timed): Promise<void> {
    const lease = { [this.#field]: '' };
    await this.#documents.updateOne(this.#ours(), { $unset: lease as never }, within(timed));
  }

  /** Ends an attempt, and keeps other owners from the work until the time of the lease. */
  async endAttempt(timed: Timed): Promise<void> {
    const ended = { [`${this.#field}.begun_by`]: '', [`${this.#field}.failures`]: '' };
    await this.#documents.updateOne(this.#ours(), { $unset: ended as never }, within(timed));
  }

  /** Ends an attempt that failed: the lease is free after a pause in milliseconds, which each failure in a row doubles. */
  async fail(pause: { readonly firstMs: number; readonly longestMs: number }, timed: Timed): Promise<void> {
    const until = this.#after(pause.firstMs, pause.longestMs);
    const failed = { until, begun_by: '$$REMOVE', failures: this.#failures + 1 };
    await this.#documents.updateOne(this.#ours(), [{ $set: { [this.#field]: failed } }], within(timed));
  }

  #ours(): Filter<Stored> {
    return this.#and({ [`${this.#field}.owner`]: this.#owner });
  }

  #and(condition: Document): Filter<Stored> {
    return { $and: [this.#filter, condition] } as Filter<Stored>;
  }

  #extension(set?: Document) {
    const until = this.#after(this.#durationMs, this.#repeated?.longestMs);
    return { $set: { ...set, [this.#field]: { owner: this.#owner, until } } };
  }

  /** The time after a wait, in milliseconds, which is twice as long for each failure before it. */
  #after(waitMs: number, longestMs = 0): Document {
    const failures = { $ifNull: [`$${this.#field}.failures`, 0] };
    const longer = { $multiply: [waitMs, { $pow: [2, { $min: [failures, MOST_DOUBLINGS] }] }] };
    return { $add: ['$$NOW', { $min: [longer, Math.max(waitMs, longestMs)] }] };
  }
}
