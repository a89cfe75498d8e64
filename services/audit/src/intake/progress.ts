import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { Lease, openStored, type StoredDocuments, type StoredLease, within } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

/** How far a stream was read. */
export interface StreamProgress {
  /** When the stream was created: another one counts from 1 again. */
  readonly created_at: Date;
  /** The sequence of the last message whose entries are stored. */
  readonly sequence: number;
}

/** How far the streams were read, with the lease of the replica that reads them. */
export interface StoredProgress {
  readonly _id: 'streams';
  readonly AUDIT?: StreamProgress;
  readonly EVENTS?: StreamProgress;
  readonly lease?: StoredLease;
}

/** How long a replica that died keeps the others from reading, in milliseconds. */
const LEASE_MS = 5_000;

/** The progress of the intake, for the one replica that has the lease. */
export class Progress {
  readonly #stored: Collection<StoredProgress>;
  readonly #lease: Lease<StoredProgress>;
  #ours: StoredProgress | undefined;
  #confirmAt = 0;

  constructor(stored: Collection<StoredProgress>) {
    this.#stored = stored;
    this.#lease = new Lease(stored, {
      filter: { _id: 'streams' },
      owner: randomUUID(),
      durationMs: LEASE_MS,
    });
  }

  /** The progress, when this replica has the lease or could take it; undefined while another one has it. */
  async hold(): Promise<StoredProgress | undefined> {
    const now = performance.now();
    if (this.#ours === undefined) {
      const isOurs = (await this.#lease.confirm(inBackground)) || (await this.#lease.take(inBackground));
      if (!isOurs) return undefined;
      this.#ours = (await this.#stored.findOne({ _id: 'streams' }, within(inBackground))) ?? undefined;
    } else if (now >= this.#confirmAt) {
      if (!(await this.#lease.confirm(inBackground))) this.#ours = undefined;
    } else return this.#ours;
    this.#confirmAt = now + LEASE_MS / 3;
    return this.#ours;
  }

  /** Records the progress in a stream. Another replica that took over meanwhile stores entries again, to no effect. */
  async note(stream: 'AUDIT' | 'EVENTS', progress: StreamProgress): Promise<void> {
    await this.#stored.updateOne({ _id: 'streams' }, { $set: { [stream]: progress } }, within(inBackground));
    if (this.#ours !== undefined) this.#ours = { ...this.#ours, [stream]: progress };
  }

  /** Forgets what it knows, after a failure. */
  forget(): void {
    this.#ours = undefined;
  }

  /** Lets another replica read at once. */
  async end(): Promise<void> {
    if (this.#ours !== undefined) await this.#lease.end(inBackground);
  }
}

export const storedProgress: StoredDocuments<StoredProgress> = {
  collection: 'progress',
  shardKey: { unsharded: 'one document for all streams' },
};

/** Opens the progress, and makes its document. */
export async function openProgress(db: Db): Promise<Progress> {
  const stored = openStored(db, storedProgress);
  await stored.updateOne({ _id: 'streams' }, { $setOnInsert: {} }, { upsert: true, ...within(inBackground) });
  return new Progress(stored);
}
