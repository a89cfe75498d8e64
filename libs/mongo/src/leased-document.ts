import { randomUUID } from 'node:crypto';
import { inBackground, type Timed } from '@action-platform/contracts/calls';
import type { Collection, Document, Filter } from 'mongodb';
import { Lease, type StoredLease } from './lease.ts';
import { within } from './time-limit.ts';

/** Thrown when another replica has taken the lease. */
export class LeaseTaken extends Error {}

/** A document that one replica at a time works on, under its lease. */
type Leased = Document & { readonly _id: string; readonly lease?: StoredLease };

/**
 * A document for the one replica that has its lease: how far a stream was read, for example. The replica reads it once, and writes
 * only while it has the lease.
 */
export class LeasedDocument<Stored extends Leased> {
  readonly #documents: Collection<Stored>;
  readonly #filter: Filter<Stored>;
  readonly #lease: Lease<Stored>;
  readonly #confirmEveryMs: number;
  #ours: Stored | undefined;
  /** The fields that `setLater` got since the last write. */
  #unstored: Partial<Stored> = {};
  #confirmAt = 0;

  private constructor(documents: Collection<Stored>, filter: Filter<Stored>, durationMs: number) {
    this.#documents = documents;
    this.#filter = filter;
    this.#confirmEveryMs = durationMs / 3;
    this.#lease = new Lease(documents, { filter, owner: randomUUID(), durationMs });
  }

  /**
   * Makes the document unless it exists.
   *
   * @param durationMs how long a replica that died keeps the others from it, in milliseconds.
   */
  static async open<Stored extends Leased>(
    documents: Collection<Stored>,
    _id: Stored['_id'],
    durationMs: number,
  ): Promise<LeasedDocument<Stored>> {
    const filter = { _id } as Filter<Stored>;
    // A pipeline without an effect: only a missing document is written.
    await documents.updateOne(filter, [{ $set: {} }], { upsert: true, ...within(inBackground) });
    return new LeasedDocument(documents, filter, durationMs);
  }

  /** The document, when this replica has the lease or could take it; undefined while another one has it. */
  async take(): Promise<Stored | undefined> {
    if (this.#ours === undefined) {
      const isHeld = (await this.#lease.confirm(inBackground)) || (await this.#lease.take(inBackground));
      if (!isHeld) return undefined;
      this.#ours = await this.read(inBackground);
      this.#confirmAt = performance.now() + this.#confirmEveryMs;
    } else if (performance.now() >= this.#confirmAt) await this.#store({});
    return this.#ours;
  }

  /** The document as it is stored, whichever replica works on it. */
  async read(timed: Timed): Promise<Stored | undefined> {
    return ((await this.#documents.findOne(this.#filter, within(timed))) ?? undefined) as Stored | undefined;
  }

  /** Sets fields and confirms the lease, in one write. @throws LeaseTaken */
  async set(fields: Partial<Stored>): Promise<void> {
    if (!(await this.#store(fields))) throw new LeaseTaken('another replica has the lease');
  }

  /** Sets fields with the next write; a crash before it loses them. */
  setLater(fields: Partial<Stored>): void {
    this.#unstored = { ...this.#unstored, ...fields };
    if (this.#ours !== undefined) this.#ours = { ...this.#ours, ...fields };
  }

  /** Drops the document, after a failure: the next `take` reads it again. */
  forget(): void {
    this.#ours = undefined;
    this.#unstored = {};
  }

  /** Lets another replica take the lease at once. */
  async end(): Promise<void> {
    if (await this.#store({})) await this.#lease.end(inBackground);
  }

  /** Writes fields and confirms the lease; false when another replica has taken it. */
  async #store(fields: Partial<Stored>): Promise<boolean> {
    const confirmAt = performance.now() + this.#confirmEveryMs;
    const set = { ...this.#unstored, ...fields };
    if (this.#ours === undefined || !(await this.#lease.confirm(inBackground, set))) {
      this.forget();
      return false;
    }
    this.#unstored = {};
    this.#ours = { ...this.#ours, ...fields };
    this.#confirmAt = confirmAt;
    return true;
  }
}
