import { createHash } from 'node:crypto';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { sha256Of } from './program.mjs';

/**
 * The files that a cached program is made of, in an order that is always the same.
 *
 * @param {string} program its path
 * @param {{ withAll?: boolean }} entry whether what is beside it, and below, is part of it
 * @param {string} notes what the names of files begin with that are about the program
 * @returns {Promise<string[]>} paths
 */
export async function filesOf(program, { withAll }, notes) {
  if (!withAll) return [program];
  const found = await readdir(dirname(program), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(notes))
    .toSorted();
}

/**
 * What tells the content of files from any other: the SHA-256 of a single one; of several that of their names and contents,
 * where a symbolic link's content is where it leads.
 *
 * @param {readonly string[]} files
 * @param {string} folder they are in
 * @returns {Promise<string>} in hex
 */
export async function contentOf(files, folder) {
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return await sha256Of(only);
  const hash = createHash('sha256');
  for (const file of files) {
    const isLink = (await lstat(file)).isSymbolicLink();
    const content = isLink ? await readlink(file) : await sha256Of(file);
    hash.update(`${relative(folder, file)}\0${content}\0`);
  }
  return hash.digest('hex');
}

/**
 * What changes with every change of a file. The time of the last change (ctime) is the system's own: unlike the time of
 * the last writing, no program can set it.
 *
 * @param {readonly string[]} files
 */
export async function identityOf(files) {
  const identities = files.map(async (file) => {
    const { dev, ino, size, mtimeNs, ctimeNs } = await lstat(file, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  });
  return (await Promise.all(identities)).join('\n');
}
