import type { Timed } from '@action-platform/contracts/calls';
import { type Collection, type Document, MongoBulkWriteError, type OptionalUnlessRequiredId } from 'mongodb';
import { isDuplicateKey } from './errors.ts';
import { within } from './time-limit.ts';

/**
 * Inserts documents in one command; each insertion succeeds or fails independently.
 *
 * @returns for each document whether it was inserted; false when a unique index already holds its key.
 * @throws any other error; the outcome of all documents is then unknown.
 */
export async function insertEach<Schema extends Document>(
  collection: Collection<Schema>,
  documents: readonly OptionalUnlessRequiredId<Schema>[],
  timed: Timed,
): Promise<boolean[]> {
  const inserted = documents.map(() => true);
  try {
    await collection.insertMany(documents, { ordered: false, ...within(timed) });
  } catch (error) {
    for (const index of takenKeys(error)) inserted[index] = false;
  }
  return inserted;
}

/** The positions of the documents whose keys were taken. Throws `error` when the command failed in any other way. */
function takenKeys(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
  const { result } = error;
  const refusals = result.getWriteErrors();
  const areDuplicates =
    refusals.every(({ code }) => code === error.code) && result.getWriteConcernError() === undefined;
  if (!areDuplicates) throw error;
  return refusals.map(({ index }) => index);
}
