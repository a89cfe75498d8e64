import type { StreamProgress } from '@action-platform/bus';
import { LeasedDocument, openStored, type StoredDocuments, type StoredLease } from '@action-platform/mongo';
import type { Db } from 'mongodb';

/** How far the streams were read, with the lease of the replica that reads them. */
export interface StoredProgress {
  readonly _id: 'streams';
  readonly AUDIT?: StreamProgress;
  readonly EVENTS?: StreamProgress;
  readonly lease?: StoredLease;
}

/** The progress of the intake, for the one replica that has the lease. */
export type Progress = LeasedDocument<StoredProgress>;

/** How long a replica that has ended keeps the others from reading, in milliseconds. */
const LEASE_MS = 5_000;

export const storedProgress: StoredDocuments<StoredProgress> = {
  collection: 'progress',
  shardKey: { unsharded: 'one document for all streams' },
};

/** Opens the progress, and makes its document. */
export async function openProgress(db: Db): Promise<Progress> {
  return await LeasedDocument.open(openStored(db, storedProgress), 'streams', LEASE_MS);
}
