import type { Timed } from '@action-platform/contracts';
import type { Collection, Document, Filter } from 'mongodb';
import { within } from './time-limit.ts';

/** Who has a lease, and until when nobody else may take it. */
export interface StoredLease {
  readonly owner: string;
  readonly until: Date;
}

/** What a lease is on. */
export interface LeaseOptions<Stored> {
  /** Finds the one document for as long as there is something to do about it. */
  readonly filter: Filter<Stored>;
  /** Names the attempt; another one for every attempt. */
  readonly owner: string;
  /** How long nobody may take the lease over after it was taken or confirmed, in milliseconds. */
  readonly durationMs: number;
}

/**
 * The right to do what a document stands for: one owner at a time has it, and one who died loses it when its time is
 * over. It is the field `lease` of the document. Its times are the database's, so the clocks of replicas need not agree.
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
   * Takes the lease when nobody has it or its time is over.
   *
   * @returns `first` when nobody had it before, so nobody can have begun; `again` when another owner had; undefined when
   *   another owner has it, or the filter finds nothing any more.
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

  /** Makes sure that nobody has taken the lease over, and starts its time anew; false when somebody has. */
  async confirm(timed: Timed): Promise<boolean> {
    const isOurs = { 'lease.owner': this.#owner };
    const { matchedCount } = await this.#documents.updateOne(
      this.#and(isOurs),
      [this.#extension()],
      within(timed),
    );
    return matchedCount === 1;
  }

  #and(condition: Document): Filter<Stored> {
    return { $and: [this.#filter, condition] } as Filter<Stored>;
  }

  #extension() {
    return { $set: { lease: { owner: this.#owner, until: { $add: ['$$NOW', this.#durationMs] } } } };
  }
}
