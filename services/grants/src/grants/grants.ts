import { batchedLookup } from '@action-platform/batching';
import type { Collection, Filter } from 'mongodb';
import { type AsOf, withTimeOfReading } from '../database/time.ts';
import type { StoredGrant } from './stored-grant.ts';

/** How stale `last_used_at` may get before a use is written down, in milliseconds. */
const USE_PRECISION_MS = 60_000;

/** The grants there are, of every Workspace. */
export class Grants {
  readonly #grants: Collection<StoredGrant>;

  /** The grant whose secret has this hash, as it is now. */
  readonly findBySecret: (secretHash: string) => Promise<AsOf<StoredGrant> | undefined>;

  constructor(grants: Collection<StoredGrant>) {
    this.#grants = grants;
    const itself = (hash: string) => hash;
    this.findBySecret = batchedLookup(
      'grants.grants',
      { asked: itself, found: ({ secret_hash }: AsOf<StoredGrant>) => secret_hash },
      (hashes) => this.#read([{ $match: { secret_hash: { $in: hashes } } }]),
    );
  }

  /** Up to `limit` grants, newest first, from after the one with the id `after`. */
  page(filter: Filter<StoredGrant>, after: string | undefined, limit: number): Promise<AsOf<StoredGrant>[]> {
    const from = after === undefined ? {} : { _id: { $lt: after } };
    return this.#read([{ $match: { ...filter, ...from } }, { $sort: { _id: -1 } }, { $limit: limit }]);
  }

  async insert(grant: StoredGrant): Promise<void> {
    await this.#grants.insertOne(grant);
  }

  /** Revokes the grant that matches, keeps the time of the first revocation, and returns it as it then is. */
  async revoke(filter: Filter<StoredGrant>): Promise<StoredGrant | undefined> {
    const once = { $set: { revoked_at: { $ifNull: ['$revoked_at', '$$NOW'] } } };
    return (await this.#grants.findOneAndUpdate(filter, [once], { returnDocument: 'after' })) ?? undefined;
  }

  /** Notes that the grant was used when it was read. Most uses cost no write: a minute's use is noted once. */
  async markUsed({ _id, last_used_at, as_of }: AsOf<StoredGrant>): Promise<void> {
    if (last_used_at !== null && as_of.getTime() - last_used_at.getTime() < USE_PRECISION_MS) return;
    // Of the calls that saw the same time, the first one writes.
    await this.#grants.updateOne({ _id, last_used_at }, { $set: { last_used_at: as_of } });
  }

  #read(pipeline: object[]): Promise<AsOf<StoredGrant>[]> {
    return this.#grants.aggregate<AsOf<StoredGrant>>([...pipeline, withTimeOfReading]).toArray();
  }
}
