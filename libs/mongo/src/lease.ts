import type { Timed } from '@action-platform/contracts';
import type { Collection, Document, Filter } from 'mongodb';
import { within } from './time-limit.ts';

/** The owner of a lease, and the time until which no other may take it. */
export interface StoredLease {
  readonly owner: string;
  readonly until: Date;
}

/** The document of a lease, and its owner. */
export interface LeaseOptions<Stored> {
  /** Matches the document while its work is not done. */
  readonly filter: Filter<Stored>;
  /** The id of the attempt; unique for every attempt. */
  readonly owner: string;
  /** The time of the lease from its taking or confirmation, in milliseconds. */
  readonly durationMs: number;
}

/**
 * The right to do the work of a document, stored in its field `lease`. One owner has it at a time, and a crashed owner loses
 * it after its time. All times are by the clock of the database, so the clocks of replicas need not agree.
 */
export class Lease<Stored extends Document & { readonly lease?: StoredLease }> {
  readonly #documents: Collection<Stored>;
  readonly #filter: Filter<Stored>;
  readonly #owner: string;
  readonly #durationMs: number;

  constructor(documents: Collection<Stored>, { filter, owner, durationMs }: LeaseOptions<Stored>) {
    this.#documents = documents;
    this.#filter = filter;
    this.#owner = owner;
    this.#durationMs = durationMs;
  }

  /**
   * Takes the lease when it is free or its time has passed.
   *
   * @returns `first` when it had no owner before, so no owner has begun the work; `again` when it had another owner;
   *   undefined when another owner has it, or the filter matches no document.
   */
  async take(timed: Timed): Promise<'first' | 'again' | undefined> {
    const isFree = { $lte: [{ $ifNull: ['$lease.until', '$$NOW'] }, '$$NOW'] };
    const before = await this.#documents.findOneAndUpdate(this.#and({ $expr: isFree }), [this.#extension()], {
      returnDocument: 'before',
      ...within(timed),
    });
    if (before === null) return undefined;
    return before.lease === undefined ? 'first' : 'again';
  }

  /**
   * Restarts the time of the lease; false when another owner has taken it over.
   *
   * @param set fields that the same write sets, as expressions.
   */
  async confirm(timed: Timed, set: Document = {}): Promise<boolean> {
    const isOurs = { 'lease.owner': this.#owner };
    const { matchedCount } = await this.#documents.updateOne(
      this.#and(isOurs),
      [this.#extension(set)],
      within(timed),
    );
    return matchedCount === 1;
  }

  /** Ends the time of the lease, so that another owner may take it `again` at once. */
  async end(timed: Timed): Promise<void> {
    const isOurs = this.#and({ 'lease.owner': this.#owner });
    await this.#documents.updateOne(isOurs, [{ $set: { 'lease.until': '$$NOW' } }], within(timed));
  }

  #and(condition: Document): Filter<Stored> {
    return { $and: [this.#filter, condition] } as Filter<Stored>;
  }

  #extension(set?: Document) {
    return { $set: { ...set, lease: { owner: this.#owner, until: { $add: ['$$NOW', this.#durationMs] } } } };
  }
}
