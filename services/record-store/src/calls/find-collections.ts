import { findCollections } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** record-store.find_collections */
export function serveFindCollections({ collections }: Dependencies): ServedCall {
  return serveCall(findCollections, async ({ workspaceId, ids }, context) => {
    const named = await collections.find(workspaceId, ids, context);
    return { found: named.map(({ id }) => id), named };
  });
}
