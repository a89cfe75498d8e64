import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { Lease, openStored, type StoredDocuments, type StoredLease, within } from '@action-platform/mongo';
import type { Collection, Db, Timestamp } from 'mongodb';
import type { Beginning, ResumeToken } from './change-stream.ts';

/** How far the changes of a database are published, and which replica publishes them. */
interface StoredPosition {
  readonly _id: typeof POSITION_ID;
  readonly lease?: StoredLease;
  /** Where the changes begin; the database's time at the first start of the service. */
  readonly from: Timestamp;
  /** After the last change whose events are published; absent before the first. */
  readonly token?: ResumeToken;
  /** The time of that change, or of the first start. */
  readonly told_at: Date;
}

/** A position in the changes of a database. */
export interface Position {
  readonly token: ResumeToken;
  readonly toldAt: Date;
}

export const storedPosition: StoredDocuments<StoredPosition> = {
  collection: 'tail',
  shardKey: { unsharded: 'one document for the whole database' },
};

/** Where the changes go on for the replica that has the lease. */
export interface Taken {
  readonly beginning: Beginning;
  /** The time of the last published change. */
  readonly toldAt: Date;
}

const POSITION_ID = 'changes';
/** A killed replica keeps the lease for so long, in milliseconds. */
const LEASE_MS = 6_000;
/** How often the lease is renewed, and an idle position stored, in milliseconds. */
const RENEW_EVERY_MS = 2_000;
/** How often the position is stored while it changes, in milliseconds: a killed tail repeats the changes of this time. */
const STORE_EVERY_MS = 500;

/** The stored position of a service's tail, under a lease: one replica at a time publishes. */
export class PositionKeeper {
  readonly #lease: Lease<StoredPosition>;
  readonly #positions: Collection<StoredPosition>;
  #unstored: Position | undefined;
  #hasNews = false;
  #storing: Promise<void> | undefined;
  /** By this process's clock, which begins no later than the database's. */
  #storedAt = Number.NEGATIVE_INFINITY;

  private constructor(positions: Collection<StoredPosition>) {
    this.#positions = positions;
    this.#lease = new Lease(positions, {
      filter: { _id: POSITION_ID },
      owner: randomUUID(),
      durationMs: LEASE_MS,
    });
  }

  /** Opens the stored position; the first start of a service stores the time of the database, from which its changes are events. */
  static async open(db: Db): Promise<PositionKeeper> {
    const positions = openStored(db, storedPosition);
    const { operationTime: from } = await db.command({ ping: 1, ...within(inBackground) });
    const first = { from, told_at: new Date() };
    const options = { upsert: true, ...within(inBackground) };
    await positions.updateOne({ _id: POSITION_ID }, { $setOnInsert: first }, options);
    return new PositionKeeper(positions);
  }

  /** Takes the lease, and returns where the changes go on; undefined while another replica has it. */
  async take(): Promise<Taken | undefined> {
    const now = performance.now();
    if ((await this.#lease.take(inBackground)) === undefined) return undefined;
    this.#storedAt = now;
    this.#unstored = undefined;
    const stored = await this.#positions.findOne({ _id: POSITION_ID }, within(inBackground));
    const { from, token, told_at: toldAt } = stored!;
    return {
      beginning: token === undefined ? { startAtOperationTime: from } : { startAfter: token },
      toldAt,
    };
  }

  /** Notes how far the changes are published. @param hasNews whether some were published since the former position */
  reached(position: Position, hasNews: boolean): void {
    this.#unstored = position;
    this.#hasNews ||= hasNews;
  }

  /** Renews the lease and stores the position, when it is time. Rejects when another replica may have the lease. */
  async keep(): Promise<void> {
    const age = performance.now() - this.#storedAt;
    if (age >= LEASE_MS) throw new Error('another replica may publish the changes');
    if (age < (this.#hasNews ? STORE_EVERY_MS : RENEW_EVERY_MS)) return;
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
    await this.#storing;
  }

  /** Stores the position if this replica still has the lease, and lets another one take it at once; never rejects. */
  async leave(): Promise<void> {
    try {
      await this.#store();
      await this.#lease.end(inBackground);
    } catch {
      // Another replica has the lease, or takes it when its time has passed, and repeats some changes.
    }
  }

  async #store(): Promise<void> {
    const now = performance.now();
    const position = this.#unstored;
    const set = position && { token: { $literal: position.token }, told_at: position.toldAt };
    this.#hasNews = false;
    if (!(await this.#lease.confirm(inBackground, set)))
      throw new Error('another replica publishes the changes');
    this.#storedAt = now;
  }
}
