import { ActionError } from '@action-platform/contracts/errors';
import { createCollection } from '@action-platform/contracts/operations';
import { type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeCollection } from '../storage/stored-collection.ts';

/** record_store.create_collection: repeating an identical create returns the existing Collection. */
export function serveCreateCollection({ collections }: Dependencies): ServedCall {
  return serveOperation(createCollection, async (input, context) => {
    const { workspaceId: workspace_id, userId: created_by, routine } = context.principal;
    const collection = await collections.create(
      { workspace_id, created_by, origin: context.origin, ...input },
      context,
    );
    const isIdentical =
      collection.description === input.description &&
      collection.member_writes_enabled === input.member_writes_enabled;
    // A routine grant reaches only the Collections it lists, so the error names no id to it.
    if (!isIdentical) throw nameTaken(routine === undefined ? collection._id : undefined);
    return { collection: describeCollection(collection) };
  });
}

function nameTaken(id: string | undefined): ActionError {
  const message = id === undefined ? undefined : `A Collection of this name exists with other values: ${id}.`;
  return new ActionError('record_store_collection_name_taken', { message });
}
