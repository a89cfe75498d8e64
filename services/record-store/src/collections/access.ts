import { ActionError, type Principal } from '@action-platform/contracts';
import type { CollectionDocument } from './collection-document.ts';
import type { Collections } from './collections.ts';

/**
 * The Collection that a caller wants to read from. Owners and Members may read every one of their Workspace.
 *
 * @throws ActionError `record_store_collection_not_found`.
 */
export function readableCollection(
  collections: Collections,
  principal: Principal,
  id: string,
): Promise<CollectionDocument> {
  return collections.get(principal.workspaceId, id);
}

/**
 * The Collection that a caller wants to write to. Owners always may, Members where Member writes are enabled.
 *
 * @throws ActionError `record_store_collection_not_found` or `record_store_member_writes_disabled`.
 */
export async function writableCollection(
  collections: Collections,
  principal: Principal,
  id: string,
): Promise<CollectionDocument> {
  const collection = await readableCollection(collections, principal, id);
  if (principal.role !== 'owner' && !collection.member_writes_enabled) {
    throw new ActionError('record_store_member_writes_disabled');
  }
  return collection;
}
