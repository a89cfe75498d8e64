import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { ObjectId } from 'mongodb';

/** How many calls there were. */
export interface Counts {
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
}

/** The calls of an hour, in its blocks up to a number. */
export interface StoredCounts extends Counts {
  readonly _id: ObjectId;
  readonly workspace_id: string;
  /** The term of the Member or the grant that called; empty for all callers. */
  readonly term: string;
  /** When the hour begins. */
  readonly hour: Date;
  /** The number of the last block counted. */
  readonly counted: number;
  /** When the database deletes it (TTL index): no later than the first block of the hour. */
  readonly expires_at: Date;
}

/** An export has the blocks, from which the counts follow. */
export const storedCounts: StoredDocuments<StoredCounts> = {
  collection: 'counts',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'hours', key: { workspace_id: 1, term: 1, hour: 1 }, unique: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
};

/** The sum of counts. */
export function sum(a: Counts, b: Counts): Counts {
  return { calls: a.calls + b.calls, refused: a.refused + b.refused, failed: a.failed + b.failed };
}
