import { isIdOf, listRecords as listRecordsOperation, type RecordState } from '@action-platform/contracts';
import { nextCursor, positionIn } from '@action-platform/paging';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { readableCollection } from '../collections/access.ts';
import { listRecords } from '../records/list.ts';
import { currentRecord } from '../records/views.ts';
import type { RecordStore } from '../store.ts';

const states: Record<RecordState | 'all', readonly RecordState[]> = {
  active: ['active'],
  archived: ['archived'],
  all: ['active', 'archived'],
};

/** record_store.list_records */
export function serveListRecords({ collections, documents, limits }: RecordStore): ServedOperation {
  return serveOperation(
    listRecordsOperation,
    async ({ collection_id, state, limit, cursor }, { principal }) => {
      const { workspaceId } = principal;
      await readableCollection(collections, principal, collection_id);
      const listing = `records ${workspaceId} ${collection_id} ${state}`;
      const page = await listRecords(documents, {
        workspaceId,
        collectionId: collection_id,
        states: states[state],
        after: positionIn(listing, cursor, (position) => isIdOf('record', position)) ?? '',
        limit,
        maxBytes: limits.PAGE_MAX_BYTES,
      });
      return {
        records: page.items.map(currentRecord),
        next_cursor: nextCursor(listing, page, ({ _id }) => _id),
      };
    },
  );
}
