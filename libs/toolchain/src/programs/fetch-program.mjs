import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SourceUnavailable, ToolchainError } from '../errors.mjs';
import { cacheDir } from './cache.mjs';
import { download } from './download.mjs';
import { execFile, isProgram, reasonOf, versionOf } from './program.mjs';

/** @typedef {import('./pins.mjs').Program} Program */
/** @typedef {import('./pins.mjs').Archive} Archive */
/** @typedef {Pick<Program, 'name' | 'version'>} PinnedFile */

const workPrefix = 'fetching-';
const abandonedAfterMs = 60 * 60 * 1000;

/**
 * Finds a program that an earlier run fetched. The fetch checked its archive; the cache belongs to this user alone, as
 * node_modules does, so its content is not hashed again.
 *
 * @param {Program} program
 * @returns {Promise<string | undefined>} absolute path; undefined when the file is missing, empty or not executable
 */
export async function cachedProgram(program) {
  const path = cachePath(program);
  return (await isProgram(path)) ? path : undefined;
}

/**
 * Fetches a program into the cache, out of an archive with the pinned hash. Nothing of the archive runs before its hash is
 * checked.
 *
 * @param {Program} program
 * @param {Archive} archive
 * @param {(line: string) => void} onProgress called with one line before the fetch
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable} when the archive cannot be fetched, or the program does not run here
 * @throws {ToolchainError} when the archive is not the pinned one
 */
export async function fetchProgram(program, archive, onProgress) {
  return await fetchFile(program, archive, onProgress, versionOf);
}

/**
 * Finds a document that an earlier run fetched, or fetches it into the cache, out of an archive with the pinned hash.
 *
 * @param {PinnedFile} document
 * @param {Archive} archive
 * @param {(line: string) => void} onProgress called with one line before the fetch
 * @returns {Promise<string>} absolute path of the document
 * @throws {SourceUnavailable} when the archive cannot be fetched
 * @throws {ToolchainError} when the archive is not the pinned one
 */
export async function findDocument(document, archive, onProgress) {
  const path = cachePath(document);
  return existsSync(path) ? path : await fetchFile(document, archive, onProgress, async () => {});
}

/**
 * Fetches a file into the cache. One rename puts it in place, so that two processes may fetch it at the same time and no process sees
 * half of it.
 *
 * @param {PinnedFile} file
 * @param {Archive} archive
 * @param {(line: string) => void} onProgress
 * @param {(path: string) => Promise<unknown>} check rejects for a file that is not kept
 */
async function fetchFile(file, archive, onProgress, check) {
  const path = cachePath(file);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await removeAbandoned();
  const workDir = await mkdtemp(join(cacheDir(), workPrefix));
  try {
    onProgress(`Fetching ${file.name} ${file.version} (${archive.from}); it is kept for the next time.`);
    const packed = await fetchArchive(archive, workDir);
    await checkHash(archive, packed);
    const fetched = await unpack(file, packed, workDir);
    await check(fetched);
    await rename(fetched, path);
    return path;
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** @param {PinnedFile} file */
function cachePath({ name, version }) {
  return join(cacheDir(), `${name}-${version}`, name);
}

/**
 * @param {Archive} archive
 * @param {string} directory
 * @returns {Promise<string>} path of the archive
 */
async function fetchArchive({ from }, directory) {
  if (from.startsWith('npm:')) return await npmPack(from.slice('npm:'.length), directory);
  const { body } = await download(from);
  const file = join(directory, 'archive.tar.gz');
  await pipeline(body ?? [], createWriteStream(file)).catch((error) => {
    throw new SourceUnavailable(`${from} not downloaded (${reasonOf(error)})`);
  });
  return file;
}

/**
 * Gets a package from the registry that npm is configured for. npm installs and runs nothing of it.
 *
 * @param {string} spec
 * @param {string} directory
 * @returns {Promise<string>} path of the package's archive
 */
async function npmPack(spec, directory) {
  const options = ['--ignore-scripts', '--fetch-retries=1', '--loglevel=error', '--pack-destination'];
  try {
    await execFile('npm', ['pack', spec, ...options, directory], { cwd: directory });
  } catch (error) {
    throw new SourceUnavailable(`npm cannot fetch ${spec} (${reasonOf(error)})`);
  }
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

/**
 * @param {Archive} archive
 * @param {string} file
 */
async function checkHash({ from, sha256 }, file) {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('hex');
  if (found === sha256) return;
  throw new ToolchainError(
    `${from} is not the archive that was pinned, and was removed: expected sha256 ${sha256}, found ${found}. ` +
      'Run again; if it stays so, your registry or proxy serves another file: do not use it.',
  );
}

/**
 * @param {PinnedFile} file
 * @param {string} archive
 * @param {string} directory
 * @returns {Promise<string>} its path
 */
async function unpack({ name }, archive, directory) {
  const { stdout } = await execFile('tar', ['-tzf', archive]);
  const entry = stdout.split('\n').find((path) => basename(path) === name);
  if (entry === undefined) throw new SourceUnavailable(`${basename(archive)} holds no ${name}`);
  await execFile('tar', ['-xzf', archive, entry], { cwd: directory });
  return join(directory, entry);
}

/** Removes the work folders of killed fetches, which may hold hundreds of megabytes. */
async function removeAbandoned() {
  for (const name of await readdir(cacheDir())) {
    if (!name.startsWith(workPrefix)) continue;
    const path = join(cacheDir(), name);
    const changed = await stat(path).catch(() => undefined);
    if (changed && Date.now() - changed.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true });
  }
}
