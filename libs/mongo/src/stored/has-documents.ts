import type { Timed } from '@action-platform/contracts/calls';
import type { Db } from 'mongodb';
import { within } from '../time-limit.ts';
import type { StoredDocuments } from './stored-documents.ts';

/** Whether a declared collection has a document of a Workspace. */
export async function hasDocuments(
  db: Db,
  declared: readonly StoredDocuments[],
  workspaceId: string,
  timed: Timed,
): Promise<boolean> {
  for (const { collection, ofWorkspace } of declared) {
    if (ofWorkspace === undefined) continue;
    const options = { projection: { _id: 1 }, ...within(timed) };
    if ((await db.collection(collection).findOne(ofWorkspace(workspaceId), options)) !== null) return true;
  }
  return false;
}
