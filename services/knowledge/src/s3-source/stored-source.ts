import type { StoredDocuments, StoredLease } from '@action-platform/mongo';

export const S3_SOURCE_ID = 's3';

/** What the last pass over a bucket found. */
export interface Condition {
  /** Why the listing is kept: the code of the failure, or `empty`. Undefined while it follows the bucket. */
  readonly kept?: string | undefined;
  /** The number of keys that name no visible file. */
  readonly left_out: number;
}

/** The stored form of the source, one for all replicas. */
export interface StoredSource extends Partial<Condition> {
  readonly _id: typeof S3_SOURCE_ID;
  /** The replica whose turn it is. */
  readonly lease?: StoredLease;
  /** The start of the next pass; without one a pass is due. */
  readonly due_at?: Date;
}

export const storedSources: StoredDocuments<StoredSource> = {
  collection: 'sources',
  shardKey: { unsharded: 'one document for the whole bucket' },
};
