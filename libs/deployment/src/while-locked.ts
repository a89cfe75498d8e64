import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK_FILE = 'deployment.lock';
/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/**
 * Changes the deployment in a folder while no other process of this machine does. The lock is an exclusive transaction on an empty SQLite
 * database, which the kernel ends with the process.
 *
 * @param folder is made if it is missing
 * @throws Error when another process changes the deployment
 */
export async function whileLocked<Result>(folder: string, change: () => Promise<Result>): Promise<Result> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, LOCK_FILE);
  closeSync(openSync(file, 'a', 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return await change();
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    throw new Error(`Another command changes the deployment in ${folder}. Repeat this one after it.`);
  } finally {
    lock.close();
  }
}
