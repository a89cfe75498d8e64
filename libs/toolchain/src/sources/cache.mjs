import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ToolchainError } from '../errors.mjs';
import { isProgram } from './program.mjs';

/**
 * A program in the cache.
 * @typedef {object} CacheEntry
 * @property {string} folder one per program and version
 * @property {string} program file name of the program
 */

const workPrefix = 'fetching-';
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Finds a program that an earlier run cached. The fetch checked its hash; the cache belongs to this user alone, as
 * node_modules does, so its content is not hashed again.
 *
 * @param {CacheEntry} entry
 * @returns {Promise<string | undefined>} absolute path; undefined when the file is missing, empty or not executable
 */
export async function cachedProgram(entry) {
  const path = cachePath(entry);
  return (await isProgram(path)) ? path : undefined;
}

/**
 * Adds a program to the cache with one rename, so that two processes may fetch the same program at the same time and no
 * process sees half of it.
 *
 * @param {CacheEntry} entry
 * @param {(workDir: string) => Promise<string>} fetch puts the program into the folder, checks it, and returns its path
 * @returns {Promise<string>} absolute path of the cached program
 */
export async function addToCache(entry, fetch) {
  await mkdir(cacheDir(), { recursive: true, mode: 0o700 });
  await removeAbandoned();
  const workDir = await mkdtemp(join(cacheDir(), workPrefix));
  try {
    const fetched = await fetch(workDir);
    await mkdir(join(cacheDir(), entry.folder), { recursive: true });
    await rename(fetched, cachePath(entry));
    return cachePath(entry);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** @param {CacheEntry} entry */
function cachePath({ folder, program }) {
  return join(cacheDir(), folder, program);
}

/**
 * The folder of everything that the toolchain can fetch again. The XDG Base Directory Specification ignores a relative
 * XDG_CACHE_HOME.
 */
export function cacheDir() {
  const base = process.env.XDG_CACHE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'action-platform');
}

/** Removes the work folders of killed fetches, which may hold hundreds of megabytes. */
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

/**
 * Turns the error of a cache that cannot be written into advice; undefined for any other error.
 *
 * @param {unknown} error
 * @returns {ToolchainError | undefined}
 */
export function unwritableCache(error) {
  const { code = '', path = '' } = /** @type {NodeJS.ErrnoException} */ (error);
  const isOfCache = path !== '' && (path.startsWith(cacheDir()) || cacheDir().startsWith(path));
  if (!isOfCache || !['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC'].includes(code))
    return undefined;
  return new ToolchainError(
    `${cacheDir()} cannot be written (${code}): set XDG_CACHE_HOME to a folder that can.`,
  );
}
