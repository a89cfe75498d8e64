import { listCollections } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.list_collections */
export function serveListCollections({ collections, cursors, limits }: Dependencies): ServedCall {
  return serveOperation(listCollections, async ({ limit, cursor }, context) => {
    const { workspaceId } = context.principal;
    const listing = `collections ${workspaceId}`;
    const wanted = {
      workspaceId,
      ids: context.granted,
      after: cursors.positionIn(listing, cursor) ?? '',
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
    };
    const page = await collections.list(wanted, context);
    return {
      collections: page.items.map(describeCollection),
      next_cursor: cursors.next(listing, page, ({ _id }) => _id),
    };
  });
}
