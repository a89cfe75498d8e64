import type { Principal } from '@action-platform/contracts';
import type { RecordReference } from '../records/head.ts';

/** The Record that a call names, in the Workspace it is made in. */
export function referenceOf(
  { workspaceId }: Principal,
  { collection_id, record_id }: { collection_id: string; record_id: string },
): RecordReference {
  return { workspaceId, collectionId: collection_id, recordId: record_id };
}
