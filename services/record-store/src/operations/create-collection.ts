import { createCollection } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.create_collection */
export function serveCreateCollection({ collections }: Dependencies): ServedOperation {
  return serveOperation(createCollection, async (input, context) => {
    const { workspaceId: workspace_id, userId: created_by } = context.principal;
    const collection = await collections.create({ workspace_id, created_by, ...input }, context);
    return { collection: describeCollection(collection) };
  });
}
