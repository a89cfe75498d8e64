import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { Lease, openStored, type StoredDocuments, type StoredLease, within } from '@action-platform/mongo';
import type { Collection, Db, Timestamp } from 'mongodb';
import type { Beginning, ResumeToken } from './change-stream.ts';

/** How far the changes of a database are published, and which replica publishes them. */
interface StoredCheckpoint {
  readonly _id: typeof CHECKPOINT_ID;
  readonly lease?: StoredLease;
  /** Where the changes begin; the database's time at the first start of the service. */
  readonly from: Timestamp;
  /** After the last change whose events are published; absent before the first. */
  readonly token?: ResumeToken;
  /** The time of that change, or of the first start. */
  readonly last_published_at: Date;
}

/** A position in the changes of a database. */
export interface Checkpoint {
  readonly token: ResumeToken;
  readonly lastPublishedAt: Date;
}

export const storedCheckpoint: StoredDocuments<StoredCheckpoint> = {
  collection: 'tail',
  shardKey: { unsharded: 'one document for the whole database' },
};

/** Where the changes go on for the replica that has the lease. */
export interface Taken {
  readonly beginning: Beginning;
  /** The time of the last published change. */
  readonly lastPublishedAt: Date;
}

const CHECKPOINT_ID = 'changes';
/** A killed replica keeps the lease for so long, in milliseconds. */
const LEASE_MS = 6_000;
/** How often the lease is renewed, and an idle checkpoint stored, in milliseconds. */
const RENEW_EVERY_MS = 2_000;
/** How often the checkpoint is stored while it changes, in milliseconds: a killed tail repeats the changes of this time. */
const STORE_EVERY_MS = 500;

/** The stored checkpoint of a service's tail, under a lease: one replica at a time publishes. */
export class Checkpoints {
  readonly #lease: Lease<StoredCheckpoint>;
  readonly #documents: Collection<StoredCheckpoint>;
  #unstored: Checkpoint | undefined;
  #hasNews = false;
  #storing: Promise<void> | undefined;
  /** By this process's clock, which begins no later than the database's. */
  #storedAt = Number.NEGATIVE_INFINITY;
  #renewing: NodeJS.Timeout | undefined;

  private constructor(documents: Collection<StoredCheckpoint>) {
    this.#documents = documents;
    this.#lease = new Lease(documents, {
      filter: { _id: CHECKPOINT_ID },
      owner: randomUUID(),
      durationMs: LEASE_MS,
    });
  }

  /** Opens the stored checkpoint; the first start of a service stores the time of the database, from which its changes are events. */
  static async open(db: Db): Promise<Checkpoints> {
    const documents = openStored(db, storedCheckpoint);
    const { operationTime: from } = await db.command({ ping: 1, ...within(inBackground) });
    const first = { from, last_published_at: new Date() };
    const options = { upsert: true, ...within(inBackground) };
    await documents.updateOne({ _id: CHECKPOINT_ID }, { $setOnInsert: first }, options);
    return new Checkpoints(documents);
  }

  /** Takes the lease until `leave`, and returns where the changes go on; undefined while another replica has it. */
  async take(): Promise<Taken | undefined> {
    const now = performance.now();
    if ((await this.#lease.take(inBackground)) === undefined) return undefined;
    this.#storedAt = now;
    this.#unstored = undefined;
    const stored = await this.#documents.findOne({ _id: CHECKPOINT_ID }, within(inBackground));
    // A command may take longer than the lease. After a failure the next `keep` rejects.
    this.#renewing = setInterval(() => this.keep().catch(() => {}), RENEW_EVERY_MS / 2);
    const { from, token, last_published_at: lastPublishedAt } = stored!;
    return {
      beginning: token === undefined ? { startAtOperationTime: from } : { startAfter: token },
      lastPublishedAt,
    };
  }

  /** Notes how far the changes are published. @param hasNews whether some were published since the former checkpoint */
  reached(checkpoint: Checkpoint, hasNews: boolean): void {
    this.#unstored = checkpoint;
    this.#hasNews ||= hasNews;
  }

  /** Renews the lease and stores the checkpoint, when it is time. Rejects when another replica may have the lease. */
  async keep(): Promise<void> {
    const age = performance.now() - this.#storedAt;
    if (age >= LEASE_MS) throw new Error('another replica may publish the changes');
    if (age < (this.#hasNews ? STORE_EVERY_MS : RENEW_EVERY_MS)) return;
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
    await this.#storing;
  }

  /** Stores the checkpoint if this replica still has the lease, and lets another one take it at once; never rejects. */
  async leave(): Promise<void> {
    clearInterval(this.#renewing);
    try {
      // A renewal under way would take the lease again after its end.
      await this.#storing?.catch(() => {});
      await this.#store();
      await this.#lease.end(inBackground);
    } catch {
      // Another replica has the lease, or takes it when its time has passed, and repeats some changes.
    }
  }

  async #store(): Promise<void> {
    const now = performance.now();
    const checkpoint = this.#unstored;
    const set = checkpoint && {
      token: { $literal: checkpoint.token },
      last_published_at: checkpoint.lastPublishedAt,
    };
    this.#hasNews = false;
    if (!(await this.#lease.confirm(inBackground, set)))
      throw new Error('another replica publishes the changes');
    this.#storedAt = now;
  }
}
