import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { isProgram } from './program.mjs';

/**
 * Where a fetched program is kept.
 * @typedef {object} CacheEntry
 * @property {string} folder one per program and version
 * @property {string} program file name of the program
 */

const workPrefix = 'fetching-';
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * The cached program, trusted because it is there: it was checked before it was moved in. What cannot be one (an empty
 * file, one without the right to execute it) does not count.
 *
 * @param {CacheEntry} entry
 * @returns {Promise<string | undefined>} absolute path
 */
export async function cachedProgram(entry) {
  const path = cachePath(entry);
  return (await isProgram(path)) ? path : undefined;
}

/**
 * Makes a program appear in the cache all at once, so that nobody ever sees half of it and two processes may fetch the
 * same one at the same time. Nothing else of what `fetch` leaves in its work folder is kept.
 *
 * @param {CacheEntry} entry
 * @param {(workDir: string) => Promise<string>} fetch puts the program into the folder, checks it, returns its path
 * @returns {Promise<string>} absolute path of the cached program
 */
export async function addToCache(entry, fetch) {
  await mkdir(cacheDir(), { recursive: true });
  await removeAbandoned();
  const workDir = await mkdtemp(join(cacheDir(), workPrefix));
  try {
    const fetched = await fetch(workDir);
    const path = cachePath(entry);
    await mkdir(dirname(path), { recursive: true });
    await rename(fetched, path);
    return path;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** @param {CacheEntry} entry */
function cachePath({ folder, program }) {
  return join(cacheDir(), folder, program);
}

/**
 * Where everything is kept that can be fetched or made again. The XDG Base Directory Specification ignores a relative
 * XDG_CACHE_HOME.
 */
export function cacheDir() {
  const base = process.env.XDG_CACHE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'action-platform');
}

/** A fetch that was killed leaves its work folder, which may hold hundreds of megabytes. */
async function removeAbandoned() {
  for (const name of await readdir(cacheDir())) {
    if (!name.startsWith(workPrefix)) continue;
    const path = join(cacheDir(), name);
    const changed = await stat(path).catch(() => undefined);
    if (changed && Date.now() - changed.mtimeMs > abandonedAfterMs) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
