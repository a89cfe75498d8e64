import { MongoServerError } from 'mongodb';

/** The code of an error by which a unique index refuses a key that it holds already. */
export const DUPLICATE_KEY_CODE = 11000;

/** The code of an error by which MongoDB tells somebody that they may not do this, or that it needs to know who they are. */
export const UNAUTHORIZED = 13;
/** The code of an error by which it tells somebody that it does not know them, or not with this password. */
export const AUTHENTICATION_FAILED = 18;

/** Whether a write was refused because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE;
}
