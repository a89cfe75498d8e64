import { createCollection } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.create_collection */
export function serveCreateCollection({ collections }: Dependencies): ServedOperation {
  return serveOperation(createCollection, async (input, { principal }) => {
    const collection = await collections.create({
      workspace_id: principal.workspaceId,
      created_by: principal.userId,
      ...input,
    });
    return { collection: describeCollection(collection) };
  });
}
