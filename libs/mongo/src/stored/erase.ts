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
 * Deletes documents of a Workspace, or of a user in it, in batches, for a bounded time. A crash leaves the rest, which the next part
 * finds; documents that others depend on are deleted after these.
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
      const deleted = await deleteSome(db, collection, filter, parts, timed);
      removed += deleted;
      if (deleted < DELETED_AT_ONCE) break;
    }
  }
  return { isDone: true, removed };
}

/** Deletes up to a batch of documents with their parts, the parts first; returns how many. */
async function deleteSome(
  db: Db,
  collection: string,
  filter: Document,
  parts: StoredDocuments['parts'],
  timed: Timed,
): Promise<number> {
  const found = await db
    .collection(collection)
    .find(filter, { projection: { _id: 1 }, limit: DELETED_AT_ONCE, ...within(timed) })
    .toArray();
  if (found.length === 0) return 0;
  const ids = { $in: found.map(({ _id }) => _id) };
  if (parts !== undefined)
    await db.collection(parts.collection).deleteMany({ [parts.field]: ids }, within(timed));
  await db.collection(collection).deleteMany({ $and: [filter, { _id: ids }] }, within(timed));
  return found.length;
}
