import { listCollections } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.list_collections */
export function serveListCollections({ collections, cursors, limits }: Dependencies): ServedCall {
  return serveOperation(listCollections, async ({ limit, cursor }, context) => {
    const { workspaceId } = context.principal;
    const page = await cursors.page(`collections ${workspaceId}`, cursor, {
      read: (after = '') => collections.list({ workspaceId, ids: context.granted, after, limit }, context),
      positionOf: ({ _id }) => _id,
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: ({ description }) => Buffer.byteLength(description),
    });
    return { collections: page.items.map(describeCollection), next_cursor: page.next };
  });
}
