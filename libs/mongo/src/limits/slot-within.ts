import type { Timed } from '@action-platform/contracts/calls';
import { limitReached } from '@action-platform/contracts/errors';
import type { ExactLimit } from '@action-platform/contracts/limits';
import type { Collection, Document, Filter } from 'mongodb';
import { within } from '../time-limit.ts';
import { freeSlot } from './free-slot.ts';

/**
 * A free slot for one more document of a Workspace. Concurrent inserts may take the same slot: the unique index lets one insert pass, and
 * the callers of the others begin again.
 *
 * @param counted the documents that count.
 * @param limit how many may count, and the texts of its refusal: those of `limitReached`.
 * @throws ActionError `invalid_request` when all slots are taken.
 */
export async function slotWithin<Stored extends Document>(
  collection: Collection<Stored>,
  counted: Filter<Stored>,
  { most, has, wayOut }: { readonly most: ExactLimit; readonly has: string; readonly wayOut?: string },
  timed: Timed,
): Promise<number> {
  const options = { projection: { _id: 0, slot: 1 }, ...within(timed) } as const;
  const slot = freeSlot(await collection.find<{ slot?: number }>(counted, options).toArray(), most);
  if (slot === undefined) throw limitReached(has, wayOut);
  return slot;
}
