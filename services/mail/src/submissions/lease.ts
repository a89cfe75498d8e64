import type { Submission } from '../attempts/attempt-document.ts';
import type { Documents } from '../database/documents.ts';

/**
 * How long nobody may take a lease over after it was taken or confirmed, in milliseconds. A provider gets half of it,
 * so that what was begun under a lease has come to its end before the next holder begins.
 */
export const LEASE_MS = 30_000;

/**
 * The right to create the draft of a submission: one attempt at a time has it. Its times are the database's, so the
 * clocks of the replicas need not agree.
 */
export class Lease {
  readonly #documents: Documents;
  readonly #submission: Submission;
  readonly #owner: string;

  /** @param owner names the attempt; another one for every attempt. */
  constructor(documents: Documents, submission: Submission, owner: string) {
    this.#documents = documents;
    this.#submission = submission;
    this.#owner = owner;
  }

  /**
   * Takes the lease when nobody has it or its time is up.
   *
   * @returns `first` when nobody had it before, so nobody can have begun to create; `again` when another attempt had;
   *   undefined when another attempt has it, or the submission is settled.
   */
  async take(): Promise<'first' | 'again' | undefined> {
    const before = await this.#documents.submissions.findOneAndUpdate(
      { ...this.#unsettled(), $expr: { $lte: [{ $ifNull: ['$lease.until', '$$NOW'] }, '$$NOW'] } },
      [this.#extension()],
      { returnDocument: 'before' },
    );
    if (before === null) return undefined;
    return before.lease === undefined ? 'first' : 'again';
  }

  /** Makes sure that nobody has taken the lease over, and starts its time anew; false when somebody has. */
  async confirm(): Promise<boolean> {
    const { matchedCount } = await this.#documents.submissions.updateOne(
      { ...this.#unsettled(), 'lease.owner': this.#owner },
      [this.#extension()],
    );
    return matchedCount === 1;
  }

  #unsettled() {
    const { _id, workspace_id } = this.#submission;
    return { _id, workspace_id, outcome: 'unknown' as const };
  }

  #extension() {
    return { $set: { lease: { owner: this.#owner, until: { $add: ['$$NOW', LEASE_MS] } } } };
  }
}
