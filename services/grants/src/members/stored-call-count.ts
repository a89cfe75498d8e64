import type { StoredDocuments } from '@action-platform/mongo';

/** The calls of a Workspace that has a limit, in the present second: all replicas count in it. */
export interface StoredCallCount {
  /** The id of the Workspace. */
  readonly _id: string;
  /** The second, by the clock of the database. */
  readonly second: Date;
  readonly calls: number;
  /** How many milliseconds the second still had at the last count. */
  readonly left_ms: number;
}

/** The counts, which are found by their `_id` alone, and expire. */
export const storedCallCounts: StoredDocuments<StoredCallCount> = {
  collection: 'call_counts',
  shardKey: '_id',
  indexes: [{ key: { second: 1 }, name: 'expiry', expireAfterSeconds: 3_600 }],
  ofWorkspace: (_id) => ({ _id }),
};
