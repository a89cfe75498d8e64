import { getRecords } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import { requireReadable } from '../access.ts';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord } from '../storage/stored-head.ts';

/**
 * record_store.get_records: a page ends at its byte budget, after one Record at least. The sizes are read first, so that no payload beyond the
 * budget is read.
 */
export function serveGetRecords(dependencies: Dependencies): ServedCall {
  const { heads, limits } = dependencies;
  return serveOperation(getRecords, async (input, context) => {
    const { collection_id: collectionId, record_ids: ids } = input;
    await requireReadable(dependencies, input, context);
    const collection = { workspaceId: context.principal.workspaceId, collectionId };
    const sizes = await heads.sizes(collection, ids, context);
    const count = fitting(
      ids.map((id) => sizes.get(id) ?? 0),
      limits.PAGE_MAX_BYTES,
    );
    const page = ids.slice(0, count);
    const found = await heads.existing(collection, page, context);
    return {
      records: page.flatMap((id) => found.get(id) ?? []).map(describeRecord),
      missing: page.filter((id) => !found.has(id)),
      next: ids.slice(count),
    };
  });
}

/** How many of these sizes fit into a budget: the first one that is not 0 fits always. */
function fitting(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0;
  const beyond = sizes.findIndex((size) => {
    const isFirst = bytes === 0;
    bytes += size;
    return !isFirst && bytes > maxBytes;
  });
  return beyond === -1 ? sizes.length : beyond;
}
