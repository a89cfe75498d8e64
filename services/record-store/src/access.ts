import { ActionError } from '@action-platform/contracts/errors';
import type { OperationContext } from '@action-platform/service-host';
import type { Dependencies } from './dependencies.ts';
import type { RecordReference } from './storage/stored-head.ts';
import type { RecordWrite } from './writes/next-head.ts';

interface InCollection {
  collection_id: string;
}

interface InRecord extends InCollection {
  record_id: string;
}

/**
 * Authorizes a read from a Collection. Owners and Members may read every Collection of their Workspace.
 *
 * @throws ActionError `record_store_collection_not_found`.
 */
export async function requireReadable(
  { collections }: Dependencies,
  { collection_id }: InCollection,
  context: OperationContext,
): Promise<void> {
  await collections.get(context.principal.workspaceId, collection_id, context);
}

/**
 * Authorizes a write to a Collection. Owners may always write, Members when the Collection enables Member writes.
 *
 * @throws ActionError `record_store_collection_not_found` or `record_store_member_writes_disabled`.
 */
export async function requireWritable(
  { collections }: Dependencies,
  { collection_id }: InCollection,
  context: OperationContext,
): Promise<void> {
  const { workspaceId, role } = context.principal;
  const { member_writes_enabled } = await collections.get(workspaceId, collection_id, context);
  if (role !== 'owner' && !member_writes_enabled) {
    throw new ActionError('record_store_member_writes_disabled');
  }
}

/** The Record that a call names, for reading; throws as `requireReadable` does. */
export async function readableRecord(
  dependencies: Dependencies,
  input: InRecord,
  context: OperationContext,
): Promise<RecordReference> {
  await requireReadable(dependencies, input, context);
  const { collection_id: collectionId, record_id: recordId } = input;
  return { workspaceId: context.principal.workspaceId, collectionId, recordId };
}

/** The write of the Record that a call names; throws as `requireWritable` does. */
export async function writeOf(
  dependencies: Dependencies,
  input: InRecord,
  context: OperationContext,
): Promise<RecordWrite> {
  const { origin, deadline, principal } = context;
  const { workspaceId, userId } = principal;
  await requireWritable(dependencies, input, context);
  const reference = { workspaceId, collectionId: input.collection_id, recordId: input.record_id };
  return { reference, userId, origin, deadline };
}
