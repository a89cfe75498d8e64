import { isDuplicateKey } from '@action-platform/mongo';
import { type Collection, MongoBulkWriteError } from 'mongodb';
import type { StoredFile } from './stored-file.ts';

/**
 * Inserts those files that are not stored yet, and returns the others.
 *
 * @throws whatever else goes wrong; then the outcome of all of them is unknown.
 */
export async function insertNew(
  collection: Collection<StoredFile>,
  files: readonly StoredFile[],
): Promise<StoredFile[]> {
  try {
    await collection.insertMany(files, { ordered: false });
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
    const { result } = error;
    const refusals = result.getWriteErrors();
    const isAll =
      refusals.every(({ code }) => code === error.code) && result.getWriteConcernError() === undefined;
    if (!isAll) throw error;
    return refusals.map(({ index }) => files[index]!);
  }
}
