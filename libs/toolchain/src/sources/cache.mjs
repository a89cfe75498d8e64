import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { SourceUnavailable } from '../errors.mjs';
import { contentOf, filesOf, identityOf } from './content.mjs';
import { isProgram } from './program.mjs';

/**
 * Where a fetched program is kept, and which one it must be.
 * @typedef {object} CacheEntry
 * @property {string} folder one per program and version
 * @property {string} program file name of the program
 * @property {string} [sha256] of the program, in hex; without it, the one that was fetched first is trusted
 * @property {boolean} [withAll] whether all that is beside it in its folder, and below, is a part of the program, as its libraries are
 */

/**
 * What is written down beside a program once its bytes were read.
 * @typedef {object} Checked
 * @property {string} sha256 of the program, see {@link contentOf}
 * @property {string} file what told its files, as they were then, from any others, see {@link identityOf}
 */

const workPrefix = 'fetching-';
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * The cached program, if it is the one that belongs there. Hashing hundreds of megabytes takes a second. So what was
 * hashed once is known by its size, times and inode, which nobody can give back to a file that was changed or replaced.
 * When they differ, the bytes decide. What cannot be a program (an empty file, one without the right to execute it), and
 * one that nobody knows the hash of, does not count.
 *
 * Whoever may write to the cache as this user can forge what is written down there too, but then needs no program of
 * ours. This is against a cache that was restored, shared or unpacked with another program in it.
 *
 * @param {CacheEntry} entry
 * @returns {Promise<string | undefined>} absolute path
 * @throws {SourceUnavailable} when another program was put in its place
 */
export async function cachedProgram(entry) {
  const path = cachePath(entry);
  if (!(await isProgram(path))) return undefined;
  const known = await readChecked(path);
  const expected = entry.sha256 ?? known?.sha256;
  if (expected === undefined) return undefined;
  const files = await filesOf(path, entry, checkedFile(path));
  if (known?.sha256 === expected && known.file === (await identityOf(files))) return path;
  const found = await examined(path, entry);
  if (found.sha256 === expected) {
    await writeChecked(path, found);
    return path;
  }
  throw new SourceUnavailable(
    `${path} is not the program that belongs there: expected sha256 ${expected}, found ${found.sha256}`,
  );
}

/**
 * Makes a program appear in the cache all at once, so that nobody ever sees half of it and two processes may fetch the
 * same one at the same time. Nothing else of what `fetch` leaves in its work folder is kept.
 *
 * @param {CacheEntry} entry
 * @param {(workDir: string) => Promise<string>} fetch puts the program into the folder, or a program with all that is beside
 *   it into a folder in there; checks it, and returns its path
 * @returns {Promise<string>} absolute path of the cached program
 */
export async function addToCache(entry, fetch) {
  await mkdir(cacheDir(), { recursive: true, mode: 0o700 });
  await removeAbandoned();
  const workDir = await mkdtemp(join(cacheDir(), workPrefix));
  try {
    const fetched = await fetch(workDir);
    const folder = entry.withAll ? dirname(fetched) : await alone(fetched, entry, workDir);
    const program = join(folder, entry.program);
    await writeChecked(program, await examined(program, entry));
    await putInPlace(folder, entry, workDir);
    return cachePath(entry);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/**
 * @param {string} fetched a program
 * @param {CacheEntry} entry
 * @param {string} workDir
 * @returns {Promise<string>} a folder that has nothing else in it
 */
async function alone(fetched, { program }, workDir) {
  const folder = await mkdtemp(join(workDir, 'alone-'));
  await rename(fetched, join(folder, program));
  return folder;
}

/**
 * Makes a folder the one of an entry. One that is there and in order stays: somebody else was quicker, and may be using it.
 *
 * @param {string} folder
 * @param {CacheEntry} entry
 * @param {string} workDir gets the one that is not in order
 */
async function putInPlace(folder, entry, workDir) {
  const place = join(cacheDir(), entry.folder);
  while (!(await isMoved(folder, place, ['ENOTEMPTY', 'EEXIST']))) {
    const inOrder = await cachedProgram(entry).catch(() => undefined);
    if (inOrder !== undefined) return;
    await isMoved(place, join(workDir, randomUUID()), ['ENOENT']);
  }
}

/**
 * @param {string} from
 * @param {string} to
 * @param {readonly string[]} obstacles codes of the errors by which it is not moved (rename(2))
 */
async function isMoved(from, to, obstacles) {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (obstacles.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return false;
    throw error;
  }
}

/**
 * What is to be written down of a program as it is now.
 *
 * @param {string} path of the program
 * @param {CacheEntry} entry
 * @returns {Promise<Checked>}
 */
async function examined(path, entry) {
  const files = await filesOf(path, entry, checkedFile(path));
  // First: what is changed while it is read is not taken for what was read.
  const file = await identityOf(files);
  return { sha256: await contentOf(files, dirname(path)), file };
}

/** @param {string} path of a program */
const checkedFile = (path) => `${path}.checked.json`;

/**
 * What is written down of a program, by this user and nobody else.
 *
 * @param {string} path of the program
 * @returns {Promise<Checked | undefined>}
 */
async function readChecked(path) {
  try {
    const { uid } = await stat(checkedFile(path));
    if (uid !== process.getuid?.()) return undefined;
    return JSON.parse(await readFile(checkedFile(path), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} path of the program
 * @param {Checked} checked
 */
async function writeChecked(path, checked) {
  const draft = `${checkedFile(path)}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(checked), { mode: 0o600 });
  await rename(draft, checkedFile(path));
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
