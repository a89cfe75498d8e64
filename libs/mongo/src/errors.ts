import { MongoServerError } from 'mongodb';

/** Whether a write was refused because a unique index already holds its key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}
