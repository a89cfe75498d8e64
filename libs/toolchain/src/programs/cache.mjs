import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { ToolchainError } from '../errors.mjs';

/**
 * The folder of everything that the toolchain can fetch again. The XDG Base Directory Specification ignores a relative
 * XDG_CACHE_HOME.
 */
export function cacheDir() {
  const base = process.env.XDG_CACHE_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'action-platform');
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
