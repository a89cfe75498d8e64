import { SourceUnavailable, ToolchainError } from './errors.mjs';
import { unwritableCache } from './programs/cache.mjs';
import { cachedProgram, fetchProgram } from './programs/fetch-program.mjs';
import { officialMongod } from './programs/official-mongod.mjs';
import { mongod, natsServer, node } from './programs/pins.mjs';
import { programOnPath } from './programs/program.mjs';

/** @typedef {(line: string) => void} Progress receives one line before each slow step */
/** @typedef {() => Promise<string | undefined>} Source absolute path of a program */

/**
 * Finds a mongod, fetching one when this machine has none.
 *
 * @param {{ onProgress?: Progress | undefined }} [options]
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findMongod({ onProgress = () => {} } = {}) {
  return firstOf('mongod', 'Install MongoDB 8.0 or newer, or set MONGODB_URL to a running replica set.', [
    () => programOnPath('mongod', '8.0'),
    () => cachedProgram(mongod),
    async () => fetchProgram(mongod, await officialMongod(mongod.version), onProgress),
    ...fetches(mongod, onProgress),
  ]);
}

/**
 * Finds a nats-server, fetching one when this machine has none.
 *
 * @param {{ onProgress?: Progress | undefined }} [options]
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNatsServer({ onProgress = () => {} } = {}) {
  return firstOf('nats-server', 'Install NATS server 2.11 or newer, or set NATS_URL to a running one.', [
    () => programOnPath('nats-server', '2.11'),
    () => cachedProgram(natsServer),
    ...fetches(natsServer, onProgress),
  ]);
}

/**
 * Finds the Node.js that runs this project where the machine's own is too old, fetching it when need be.
 *
 * @param {{ required: string, onProgress: Progress }} options `required` is what `engines.node` of the root package.json says
 * @returns {Promise<string>} absolute path
 * @throws {ToolchainError}
 */
export function findNode({ required, onProgress }) {
  const advice = `This is Node.js ${process.versions.node}: install a newer one and run again.`;
  const sources = [() => cachedProgram(node), ...fetches(node, onProgress)];
  return firstOf(`Node.js ${required}`, advice, sources);
}

/**
 * @param {import('./programs/pins.mjs').Program} program
 * @param {Progress} onProgress
 * @returns {Source[]}
 */
function fetches(program, onProgress) {
  const archives = program.archives[`${process.platform}-${process.arch}`] ?? {};
  return Object.entries(archives).map(([from, sha256]) => {
    return () => fetchProgram(program, { from, sha256 }, onProgress);
  });
}

/**
 * Asks the sources for a program in order, until one has it.
 *
 * @param {string} title of the program
 * @param {string} advice what to do when no source has it
 * @param {readonly Source[]} sources in order of preference; `undefined` and {@link SourceUnavailable} mean to ask the next
 *   one, any other error ends the search
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
