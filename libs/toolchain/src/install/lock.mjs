import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 1_000;
const abandonedAfterMs = 30 * heartbeatMs;

/**
 * Does something that no other process may do at the same time. The lock is a directory, which only one process can
 * create; its holder keeps touching it, so that one left by a killed process is told from one that is held.
 *
 * @template T
 * @param {string} path of the lock directory
 * @param {() => void} onWait called once when another process holds the lock
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, onWait, work) {
  await mkdir(dirname(path), { recursive: true });
  for (let waits = 0; !(await acquire(path)); waits += 1) {
    if (waits === 0) onWait();
    await sleep(100);
  }
  const heartbeat = setInterval(() => touch(path), heartbeatMs);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { recursive: true, force: true });
  }
}

/** @param {string} path */
async function acquire(path) {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
  }
  const held = await stat(path).catch(() => undefined);
  if (held && Date.now() - held.mtimeMs > abandonedAfterMs) await rm(path, { recursive: true, force: true });
  return false;
}

/** @param {string} path */
async function touch(path) {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}
