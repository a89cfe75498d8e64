import { MongoServerError } from 'mongodb';

/** The code of an error by which a unique index refuses a key that it holds already. */
export const DUPLICATE_KEY_CODE = 11000;

/** The code of an error by which MongoDB tells somebody that they may not do this, or that it needs to know who they are. */
export const UNAUTHORIZED = 13;
/** The code of an error by which it tells somebody that it does not know them, or not with this password. */
export const AUTHENTICATION_FAILED = 18;

/** The code of an error by which it refuses to make a server part of a new replica set: it is, or was before it started, in one. */
const ALREADY_INITIALIZED = 23;

/** Whether a server could not be made a replica set because it belongs to one. */
export function isAlreadyInitialized(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === ALREADY_INITIALIZED;
}

/** Whether a write was refused because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY_CODE;
}
