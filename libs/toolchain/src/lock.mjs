import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A lock between processes: an exclusive transaction on an empty SQLite database. SQLite locks the file through the kernel
 * (fcntl(2)), which releases the lock of a process that ends, however it ends. All processes must be of one machine.
 * @typedef {object} Lock
 * @property {() => void} release
 */

const retryAfterMs = 100;
/** SQLITE_BUSY: another process holds the lock. */
const busy = 5;

/**
 * Takes a lock, or names its holder.
 *
 * @param {string} path of the lock; the holder's process id is in a file beside it
 * @returns {Promise<Lock | { holder: number }>}
 */
export async function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  // SQLite's own error would not say why.
  accessSync(dirname(path), constants.W_OK);
  for (;;) {
    const lock = lockNow(path);
    if (lock !== undefined) return lock;
    const holder = holderOf(path);
    if (holder !== undefined) return { holder };
    // The holder has the lock, and has not written its process id yet.
    await sleep(retryAfterMs);
  }
}

/**
 * Does work that no other process may do at the same time.
 *
 * @template T
 * @param {string} path of the lock
 * @param {() => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  let lock = await tryLock(path);
  if ('holder' in lock) onWait();
  while ('holder' in lock) {
    await sleep(retryAfterMs);
    lock = await tryLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * @param {string} path
 * @returns {Lock | undefined} undefined when another process holds it
 */
function lockNow(path) {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (/** @type {{ errcode?: number }} */ (error).errcode === busy) return undefined;
    throw error;
  }
  writeFileSync(`${path}.pid`, String(process.pid));
  return { release: () => database.close() };
}

/**
 * @param {string} path
 * @returns {number | undefined} undefined while the file has no process id, or that of a process that has ended
 */
function holderOf(path) {
  let holder = 0;
  try {
    holder = Number.parseInt(readFileSync(`${path}.pid`, 'utf8'), 10);
    process.kill(holder, 0);
  } catch (error) {
    // EPERM: the holder runs as another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return undefined;
  }
  return holder;
}
