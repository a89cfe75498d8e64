import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { openStored, type StoredDocuments, within } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import type { StoredEndpoint } from './stored-endpoint.ts';

/**
 * How long a replica has its endpoints after it was heard from last, in milliseconds: longer than an attempt, so that one that began
 * within the lease also ends within it.
 */
export const LEASE_MS = 30_000;

/** The lease of a replica on all its endpoints: one document to extend, however many they are. */
interface StoredReplica {
  /** The owner of endpoints. */
  readonly _id: string;
  readonly until: Date;
}

export const storedReplicas: StoredDocuments<StoredReplica> = {
  collection: 'webhook_replicas',
  shardKey: { unsharded: 'it has a document of each replica' },
};

/** The replicas; the database deletes those that ended without leaving. */
export async function openReplicas(db: Db): Promise<Collection<StoredReplica>> {
  const replicas = openStored(db, storedReplicas);
  await replicas.createIndex({ until: 1 }, { name: 'expiry', expireAfterSeconds: 3600 });
  return replicas;
}

const isAlive = { $expr: { $gt: ['$until', '$$NOW'] } };
const extended = [{ $set: { until: { $add: ['$$NOW', LEASE_MS] } } }];

/**
 * The endpoints that this replica delivers to: an equal share of all enabled ones. An endpoint is free when its owner has no lease. All
 * times are by the clock of the database.
 */
export class EndpointLeases {
  readonly #endpoints: Collection<StoredEndpoint>;
  readonly #replicas: Collection<StoredReplica>;
  #owner = randomUUID();

  constructor(endpoints: Collection<StoredEndpoint>, replicas: Collection<StoredReplica>) {
    this.#endpoints = endpoints;
    this.#replicas = replicas;
  }

  /** Extends the lease of this replica, and returns its endpoints. */
  async extend(): Promise<StoredEndpoint[]> {
    const options = within(inBackground);
    const kept = await this.#replicas.updateOne({ _id: this.#owner, ...isAlive }, extended, options);
    if (kept.matchedCount === 0) {
      // A lease that has ended begins never again: another replica may be about to take its endpoints.
      this.#owner = randomUUID();
      await this.#replicas.updateOne({ _id: this.#owner }, extended, { upsert: true, ...options });
    }
    return await this.#endpoints.find({ status: 'enabled', owner: this.#owner }, options).toArray();
  }

  /** The owners with a lease, and how many endpoints each should have. */
  async share(): Promise<{ owners: string[]; most: number }> {
    const [alive, endpoints] = await Promise.all([
      this.#replicas.find(isAlive, within(inBackground)).toArray(),
      this.#endpoints.countDocuments({ status: 'enabled' }, within(inBackground)),
    ]);
    const owners = alive.map(({ _id }) => _id);
    return { owners, most: Math.ceil(endpoints / Math.max(1, owners.length)) };
  }

  /** Takes up to `limit` endpoints that none of these owners has; whether it took any. */
  async take(limit: number, owners: readonly string[]): Promise<boolean> {
    if (limit <= 0) return false;
    const isFree = { status: 'enabled', owner: { $nin: [...owners] } } as const;
    const free = await this.#endpoints.find(isFree, within(inBackground)).limit(limit).toArray();
    const taken = free.map(({ workspace_id, _id, owner }) => ({
      updateOne: { filter: { workspace_id, _id, owner }, update: { $set: { owner: this.#owner } } },
    }));
    if (taken.length === 0) return false;
    return (await this.#endpoints.bulkWrite(taken, within(inBackground))).modifiedCount > 0;
  }

  /** Leaves endpoints to other replicas. */
  async release(endpoints: readonly StoredEndpoint[]): Promise<void> {
    if (endpoints.length === 0) return;
    const released = endpoints.map(({ workspace_id, _id, owner }) => ({
      updateOne: { filter: { workspace_id, _id, owner }, update: { $set: { owner: null } } },
    }));
    await this.#endpoints.bulkWrite(released, within(inBackground));
  }

  /** Ends the lease, so that other replicas take all endpoints at once. */
  async leave(): Promise<void> {
    await this.#replicas.deleteOne({ _id: this.#owner }, within(inBackground));
  }
}
