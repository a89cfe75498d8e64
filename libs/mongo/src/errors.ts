import { MongoServerError } from 'mongodb';

/** Error code: a unique index already holds the key. */
export const DUPLICATE_KEY_CODE = 11000;

/** Error code: the user is not authenticated, or not authorized for the command. */
export const UNAUTHORIZED = 13;
/** Error code: unknown user or wrong password. */
export const AUTHENTICATION_FAILED = 18;

/** Whether a write was refused because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE;
}

/** Makes a write; false when a unique index already holds its key. */
export async function unlessTaken(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/**
 * Makes an upsert by `_id`, and repeats it when a concurrent one has inserted the document: the repetition then updates. The database
 * repeats it itself only when the filter has no other field than the unique index, and a filter with the shard key has one.
 */
export async function upsertAgain<Result>(upsert: () => Promise<Result>): Promise<Result> {
  try {
    return await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return await upsert();
  }
}
