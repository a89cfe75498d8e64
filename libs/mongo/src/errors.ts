import { MongoServerError } from 'mongodb';

/** The code of an error by which a unique index refuses a key that it holds already. */
export const DUPLICATE_KEY_CODE = 11000;

/** Whether a write was refused because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE;
}
