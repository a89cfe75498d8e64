import type { Timed } from '@action-platform/contracts/calls';
import type { Db, Document } from 'mongodb';
import { within } from '../time-limit.ts';
import type { StoredDocuments } from './stored-documents.ts';

/** The documents deleted by one command: few enough that it takes a fraction of the time limit of a command. */
const DELETED_AT_ONCE = 1000;
/** How long a part of an erasure may take before it reports, in milliseconds. */
const PART_MS = 2_000;

/** A Workspace, or one of its users alone. */
export interface ErasureTarget {
  readonly workspaceId: string;
  readonly userId?: string | undefined;
}

/** The result of a part of an erasure. */
export interface ErasedPart {
  readonly isDone: boolean;
  /** How many documents it removed or changed. */
  readonly removed: number;
}

/**
 * Deletes documents of a Workspace, or of a user in it, in batches, for a bounded time, and a document after its parts: it may have
 * millions. A crash leaves the rest, which the next part finds; documents that others depend on are deleted after these.
 */
export async function erasePart(
  db: Db,
  declared: readonly StoredDocuments[],
  { workspaceId, userId }: ErasureTarget,
  timed: Timed,
): Promise<ErasedPart> {
  const until = performance.now() + PART_MS;
  let removed = 0;
  for (const { collection, ofWorkspace, ofMember, parts } of declared) {
    const filter = userId === undefined ? ofWorkspace?.(workspaceId) : ofMember?.(workspaceId, userId);
    if (filter === undefined) continue;
    for (;;) {
      if (performance.now() > until) return { isDone: false, removed };
      const ids = await someIds(db, collection, filter, timed);
      if (ids.length === 0) break;
      if (parts !== undefined) {
        const ofThese = { [parts.field]: { $in: ids } };
        const partIds = await someIds(db, parts.collection, ofThese, timed);
        if (partIds.length > 0) {
          await deleteThese(db, parts.collection, ofThese, partIds, timed);
          continue;
        }
      }
      await deleteThese(db, collection, filter, ids, timed);
      removed += ids.length;
      if (ids.length < DELETED_AT_ONCE) break;
    }
  }
  return { isDone: true, removed };
}

/** The ids of up to a batch of documents. */
async function someIds(db: Db, collection: string, filter: Document, timed: Timed): Promise<unknown[]> {
  const options = { projection: { _id: 1 }, limit: DELETED_AT_ONCE, ...within(timed) };
  const found = await db.collection(collection).find(filter, options).toArray();
  return found.map(({ _id }) => _id);
}

async function deleteThese(
  db: Db,
  collection: string,
  filter: Document,
  ids: readonly unknown[],
  timed: Timed,
): Promise<void> {
  await db.collection(collection).deleteMany({ $and: [filter, { _id: { $in: ids } }] }, within(timed));
}
