import type { RecordState } from '@action-platform/contracts';
import { type Page, readPage } from '@action-platform/paging';
import type { Documents } from '../database/documents.ts';
import type { LiveHead } from './head.ts';

/** What to list of a Collection's Records. */
export interface RecordListing {
  workspaceId: string;
  collectionId: string;
  states: readonly RecordState[];
  /** The id after which the page starts. */
  after: string;
  limit: number;
  maxBytes: number;
}

/** Few enough that a batch of the largest payloads takes little memory. */
const READ_AT_ONCE = 32;

/**
 * A page of the Records of a Collection, in the order of their ids. Ids never change, and a page is read at one point
 * in time, so a Record that changes its state meanwhile is neither skipped nor repeated.
 */
export async function listRecords(
  { records }: Documents,
  { workspaceId, collectionId, states, after, limit, maxBytes }: RecordListing,
): Promise<Page<LiveHead>> {
  const found = records.find(
    {
      workspace_id: workspaceId,
      collection_id: collectionId,
      state: { $in: [...states] },
      _id: { $gt: after },
    },
    { sort: { _id: 1 }, limit: limit + 1, batchSize: READ_AT_ONCE, readConcern: { level: 'snapshot' } },
  );
  return await readPage(found as AsyncIterable<LiveHead>, { limit, maxBytes, bytesOf: ({ bytes }) => bytes });
}
