import type { Timed } from '@action-platform/contracts/calls';
import type { CountedLimit } from '@action-platform/contracts/limits';
import type { Collection, Document, Filter } from 'mongodb';
import { within } from '../time-limit.ts';

/**
 * Whether one more document may be stored. Concurrent inserts do not see each other, and may exceed the limit by one each: `freeSlot` is
 * for exact limits.
 *
 * @param counted the documents that count.
 */
export async function hasRoom<Stored extends Document>(
  collection: Collection<Stored>,
  counted: Filter<Stored>,
  most: CountedLimit,
  timed: Timed,
): Promise<boolean> {
  return (await collection.countDocuments(counted, { limit: most, ...within(timed) })) < most;
}
