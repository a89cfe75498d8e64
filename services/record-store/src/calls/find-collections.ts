import { findCollections } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** record-store.find_collections */
export function serveFindCollections({ collections }: Dependencies): ServedCall {
  return serveCall(findCollections, async ({ workspaceId, ids }, context) => ({
    found: await collections.existing(workspaceId, ids, context),
  }));
}
