import { MongoServerError } from 'mongodb';
import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';

const QUOTA_BYTES = 1_073_741_824;
const DUPLICATE_KEY = 11_000;

/** Reserves bytes of a Workspace's quota atomically, or refuses. */
export async function reserveBytes({ usage }: Database, workspaceId: string, bytes: number): Promise<void> {
  const { matchedCount } = await usage.updateOne(
    { _id: workspaceId, stored_bytes: { $lte: QUOTA_BYTES - bytes } },
    { $inc: { stored_bytes: bytes } },
  );
  if (matchedCount === 0) throw new Refusal(400, 'record_store_quota_exceeded');
}

/** Releases the reservation of a write that did not happen. */
export async function giveBackBytes({ usage }: Database, workspaceId: string, bytes: number): Promise<void> {
  await usage.updateOne({ _id: workspaceId }, { $inc: { stored_bytes: -bytes } });
}

/** Whether an error of MongoDB is a duplicate key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}
