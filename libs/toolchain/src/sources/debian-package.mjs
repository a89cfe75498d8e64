import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SourceUnavailable } from '../errors.mjs';
import { addToCache } from './cache.mjs';
import { execFile, reasonOf } from './program.mjs';

/**
 * Where {@link fetchDebianProgram} keeps a program.
 *
 * @param {string} name of the package
 * @param {string} file the program's path in the package
 * @returns {import('./cache.mjs').CacheEntry}
 */
export function debianEntry(name, file) {
  return { folder: `debian-${name}`, program: basename(file) };
}

/**
 * Fetches a program out of a package of this machine's Debian, without installing it; apt checks the package's
 * signature. Which build that is differs from release to release, so the one that was fetched first counts from then on.
 *
 * @param {string} name of the package
 * @param {string} file the program's path in the package
 * @param {{ onProgress: (line: string) => void }} options
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable}
 */
export function fetchDebianProgram(name, file, { onProgress }) {
  onProgress(`Fetching ${name} (Debian package); it is kept for the next time.`);
  return addToCache(debianEntry(name, file), async (workDir) => {
    try {
      await execFile('apt-get', ['download', name], { cwd: workDir });
      const [archive = 'no archive'] = await readdir(workDir);
      await execFile('dpkg', ['--extract', archive, 'unpacked'], { cwd: workDir });
    } catch (error) {
      throw new SourceUnavailable(`no Debian package ${name} (${reasonOf(error)})`);
    }
    return join(workDir, 'unpacked', file);
  });
}
