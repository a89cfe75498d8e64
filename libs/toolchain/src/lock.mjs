import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The process that holds a lock.
 * @typedef {object} Holder
 * @property {number} pid
 * @property {string | undefined} startedAt when the process began, as process ids are reused
 */

/**
 * A lock that this process holds.
 * @typedef {object} Lock
 * @property {() => Promise<void>} release
 */

const retryAfterMs = 100;

/**
 * Takes a lock, or names its holder. A lock is a folder with one file, which its holder wrote under a random name. One
 * rename puts the folder in place, and fails while a folder with a file is there; so one process alone holds the lock. A
 * process that finds the file of a dead holder removes that very file, never a newer holder's, and renames onto the
 * empty folder. All processes must be of one machine.
 *
 * @param {string} path of the lock
 * @returns {Promise<Lock | { holder: Holder }>}
 */
export async function tryLock(path) {
  const name = randomUUID();
  const draft = `${path}.${name}`;
  await mkdir(draft, { recursive: true });
  const self = { pid: process.pid, startedAt: startOf(process.pid) };
  await writeFile(join(draft, name), JSON.stringify(self));
  try {
    for (;;) {
      if (await renameOnto(draft, path)) return hold(path, name);
      const holder = await holderOf(path);
      if (holder !== undefined) return { holder };
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
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
    await lock.release();
  }
}

/**
 * @param {string} path
 * @param {string} name
 * @returns {Lock}
 */
function hold(path, name) {
  const file = join(path, name);
  return {
    release: async () => {
      await rm(file, { force: true });
      // Fails when the next holder has put its file there already.
      await rmdir(path).catch(() => {});
    },
  };
}

/**
 * @param {string} draft
 * @param {string} path
 * @returns {Promise<boolean>} whether it is there now; false when another one is
 */
async function renameOnto(draft, path) {
  try {
    await rename(draft, path);
    return true;
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (['ENOTEMPTY', 'EEXIST'].includes(code)) return false;
    throw error;
  }
}

/**
 * Finds the live holder of a lock, and removes the file of a dead one.
 *
 * @param {string} path
 * @returns {Promise<Holder | undefined>}
 */
async function holderOf(path) {
  for (const name of await readdir(path).catch(() => [])) {
    const file = join(path, name);
    try {
      /** @type {Holder} */
      const holder = JSON.parse(await readFile(file, 'utf8'));
      if (startOf(holder.pid) === holder.startedAt) return holder;
    } catch {
      // Released meanwhile, or damaged.
    }
    await rm(file, { force: true });
  }
  return undefined;
}

/**
 * When a process began, the same for every process that asks; undefined when no such process runs.
 *
 * @param {number} pid
 * @returns {string | undefined}
 */
function startOf(pid) {
  try {
    if (process.platform === 'linux') {
      // proc(5): the name, in parentheses, may hold anything; then the state is field 3 and the start field 22.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      const isDead = ['Z', 'X'].includes(fields[0] ?? '');
      return isDead
        ? undefined
        : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
    }
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim();
  } catch {
    return undefined;
  }
}
