import { listRecords, type RecordState } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { requireReadable } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord } from '../storage/stored-head.ts';

const states: Record<RecordState | 'all', readonly RecordState[]> = {
  active: ['active'],
  archived: ['archived'],
  all: ['active', 'archived'],
};

/** record_store.list_records */
export function serveListRecords(dependencies: Dependencies): ServedCall {
  const { heads, cursors, limits } = dependencies;
  return serveOperation(listRecords, async (input, context) => {
    const { collection_id, state, limit, cursor } = input;
    const { workspaceId } = context.principal;
    await requireReadable(dependencies, input, context);
    const wanted = { workspaceId, collectionId: collection_id, states: states[state], limit };
    const page = await cursors.page(`records ${workspaceId} ${collection_id} ${state}`, cursor, {
      read: (after = '') => heads.list({ ...wanted, after }, context),
      positionOf: ({ _id }) => _id,
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ bytes }) => bytes,
    });
    return { records: page.items.map(describeRecord), next_cursor: page.next };
  });
}
