import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SourceUnavailable, ToolchainError } from '../errors.mjs';
import { addToCache } from './cache.mjs';
import { execFile, reasonOf, sha256Of, versionOf } from './program.mjs';

/**
 * A program in an archive that its own project publishes, pinned to the archive's bytes.
 * @typedef {object} ReleaseArchive
 * @property {string} title its name for people
 * @property {string} url of the archive, a .tar.gz
 * @property {string} sha256 of the archive, in hex, as the release publishes it
 * @property {string} file the program's path in the archive
 */

const answerWithinMs = 5_000;

/**
 * The cache entry of {@link fetchReleaseArchive}.
 *
 * @param {ReleaseArchive} pin
 * @returns {import('./cache.mjs').CacheEntry}
 */
export function releaseEntry({ url, file }) {
  return { folder: basename(url, '.tar.gz'), program: basename(file) };
}

/**
 * Fetches the program into the cache, out of an archive with the pinned hash.
 *
 * @param {ReleaseArchive} pin
 * @param {object} [options]
 * @param {(line: string) => void} [options.onProgress]
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable} when the archive cannot be fetched, or the program does not run here
 * @throws {ToolchainError} when what was fetched is not what was pinned
 */
export async function fetchReleaseArchive(pin, { onProgress = () => {} } = {}) {
  return await addToCache(releaseEntry(pin), async (workDir) => {
    const archive = join(workDir, 'archive.tar.gz');
    await download(pin, archive, onProgress);
    await checkHash(pin, archive);
    await execFile('tar', ['-xzf', archive, pin.file], { cwd: workDir });
    const program = join(workDir, pin.file);
    await versionOf(program);
    return program;
  });
}

/**
 * Downloads the archive. A server that does not begin to answer within seconds counts as unavailable: a firewall may
 * drop every packet.
 *
 * @param {ReleaseArchive} pin
 * @param {string} file
 * @param {(line: string) => void} onProgress
 */
async function download({ title, url }, file, onProgress) {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(new Error('no answer')), answerWithinMs);
  try {
    const { ok, status, body } = await fetch(url, { signal: impatience.signal });
    clearTimeout(timer);
    if (!ok || body === null) throw new Error(`status ${status}`);
    onProgress(`Downloading ${title}; it is kept for the next time.`);
    await pipeline(Readable.fromWeb(body), createWriteStream(file));
  } catch (error) {
    const { cause } = /** @type {Error} */ (error);
    throw new SourceUnavailable(`${title} not downloaded (${reasonOf(cause ?? error)})`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {ReleaseArchive} pin
 * @param {string} archive
 */
async function checkHash({ title, url, sha256 }, archive) {
  const found = await sha256Of(archive);
  if (found === sha256) return;
  throw new ToolchainError(
    `${url} is not the archive of ${title} that was published, and was removed: expected sha256 ${sha256}, found ` +
      `${found}. Run again; if it stays so, something on the way serves another file: do not use it.`,
  );
}
