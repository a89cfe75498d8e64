import { isIdOf, listCollections } from '@action-platform/contracts';
import { nextCursor, positionIn } from '@action-platform/paging';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.list_collections */
export function serveListCollections({ collections, limits }: Dependencies): ServedOperation {
  return serveOperation(listCollections, async ({ limit, cursor }, context) => {
    const { workspaceId } = context.principal;
    const listing = `collections ${workspaceId}`;
    const wanted = {
      workspaceId,
      ids: context.granted,
      after: positionIn(listing, cursor, (position) => isIdOf('collection', position)) ?? '',
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
    };
    const page = await collections.list(wanted, context);
    return {
      collections: page.items.map(describeCollection),
      next_cursor: nextCursor(listing, page, ({ _id }) => _id),
    };
  });
}
