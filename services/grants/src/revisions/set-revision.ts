import { numberedCommit } from '@action-platform/change-events';
import type { Origin, Originated } from '@action-platform/contracts/calls';
import { invalidRequest } from '@action-platform/contracts/errors';
import { unlessTaken, within } from '@action-platform/mongo';
import type { Collection, Filter, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';

/** A document of which a Workspace has one, as its Owners set it. */
export interface Revisioned {
  /** The id of the Workspace. */
  readonly _id: string;
  /** Counts the changes from 1. */
  readonly revision: number;
  /** The last changes, by their revision. */
  readonly commits: Readonly<Record<string, Origin & { readonly at: Date }>>;
}

/**
 * Replaces the content of this revision; revision 0 is that of no document.
 *
 * @returns the next revision.
 * @throws ActionError `invalid_request` when the revision is not the present one.
 */
export async function setRevision<Stored extends Revisioned>(
  collection: Collection<Stored>,
  _id: string,
  revision: number,
  content: Omit<Stored, keyof Revisioned>,
  call: Originated,
): Promise<number> {
  const next = revision + 1;
  const commit = { ...call.origin, at: new Date() };
  const fields = { ...content, revision: next };
  const { $set, $unset } = numberedCommit(next, commit);
  const update = { $set: { ...fields, ...$set }, $unset } as unknown as UpdateFilter<Stored>;
  const first = {
    _id,
    ...fields,
    commits: { [next]: commit },
  } as unknown as OptionalUnlessRequiredId<Stored>;
  const present = { _id, revision } as Filter<Stored>;
  const isSet =
    revision === 0
      ? await unlessTaken(collection.insertOne(first, within(call)))
      : (await collection.updateOne(present, update, within(call))).matchedCount === 1;
  if (isSet) return next;
  const found = await collection.findOne({ _id } as Filter<Stored>, within(call));
  const message = `revision: the present one is ${found?.revision ?? 0}; read it again, and change that.`;
  throw invalidRequest(message);
}
