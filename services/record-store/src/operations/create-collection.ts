import { createCollection } from '@action-platform/contracts';
import { type ServedOperation, serveOperation } from '@action-platform/service-host';
import { toCollection } from '../collections/collection-document.ts';
import type { RecordStore } from '../store.ts';

/** record_store.create_collection */
export function serveCreateCollection({ collections }: RecordStore): ServedOperation {
  return serveOperation(createCollection, async (input, { principal }) => {
    const collection = await collections.create({
      workspace_id: principal.workspaceId,
      created_by: principal.userId,
      ...input,
    });
    return { collection: toCollection(collection) };
  });
}
