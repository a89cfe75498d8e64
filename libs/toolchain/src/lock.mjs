import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Who holds a lock.
 * @typedef {object} Holder
 * @property {number} pid
 * @property {string | undefined} startedAt when the process began; ids are used again
 * @property {string} host containers that share a folder do not see each other's processes
 */

/**
 * A lock that this process holds.
 * @typedef {object} Lock
 * @property {() => Promise<void>} release
 */

const heartbeatMs = 1_000;
const abandonedAfterMs = 30 * heartbeatMs;
const askAgainAfterMs = 100;

/**
 * Takes a lock, or says who holds it. A lock is a folder with one file, named at random and written by its holder. A
 * folder with a file in it is put in place by one rename, which fails while another one with a file is there: so only
 * one process can have it. Who finds the file of a dead process removes that very file, and never a newer holder's; the
 * empty folder that it leaves is free.
 *
 * @param {string} path of the lock
 * @returns {Promise<Lock | { holder: Holder }>}
 */
export async function tryLock(path) {
  const name = randomUUID();
  const draft = `${path}.${name}`;
  await mkdir(draft, { recursive: true });
  const self = { pid: process.pid, startedAt: startOf(process.pid), host: hostname() };
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
 * Does something that no other process may do at the same time.
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
    await sleep(askAgainAfterMs);
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
  // Only processes of another host look at it.
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, heartbeatMs).unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await rm(file, { force: true });
      // Somebody else's by now, when it is not empty.
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
 * The live holder of a lock. The file of a dead one is removed.
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
      if (await isAlive(holder, file)) return holder;
    } catch {
      // Released meanwhile, or damaged: it was whole when it was put in place.
    }
    await rm(file, { force: true });
  }
  return undefined;
}

/**
 * @param {Holder} holder
 * @param {string} file
 */
async function isAlive({ pid, startedAt, host }, file) {
  if (host === hostname()) return startOf(pid) === startedAt;
  const { mtimeMs } = await stat(file);
  return Date.now() - mtimeMs < abandonedAfterMs;
}

/**
 * When a process began, in words that are the same whoever asks; undefined when there is none that runs.
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
