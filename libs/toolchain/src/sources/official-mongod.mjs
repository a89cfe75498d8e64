import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SourceUnavailable } from '../errors.mjs';
import { addToCache } from './cache.mjs';
import { versionOf } from './program.mjs';

/** @typedef {import('./download-mongod.mjs').Outcome} Outcome */

const downloader = fileURLToPath(new URL('./download-mongod.mjs', import.meta.url));
const firstByteWithinMs = 5_000;

/**
 * The cache entry of {@link fetchOfficialMongod}.
 *
 * @param {string} version
 * @returns {import('./cache.mjs').CacheEntry}
 */
export function officialEntry(version) {
  return { folder: `mongodb-${version}`, program: 'mongod' };
}

/**
 * Downloads MongoDB's own build for this machine. No hash is pinned: MongoDB publishes an archive for each system and its
 * release, and their hashes on the same server. So the download rests on TLS to that server alone.
 *
 * @param {string} version
 * @param {{ onProgress: (line: string) => void }} options
 * @returns {Promise<string>} absolute path of the program
 * @throws {SourceUnavailable}
 */
export function fetchOfficialMongod(version, { onProgress }) {
  return addToCache(officialEntry(version), async (workDir) => {
    const outcome = await download(version, workDir, onProgress);
    if ('error' in outcome)
      throw new SourceUnavailable(`MongoDB ${version} not downloaded (${outcome.error})`);
    await versionOf(outcome.path);
    return outcome.path;
  });
}

/**
 * Downloads in a child process: the library reads its options from the environment and writes to stdout. The parent ends
 * it after seconds without a first byte, where the library would wait a minute.
 *
 * @param {string} version
 * @param {string} directory
 * @param {(line: string) => void} onProgress
 * @returns {Promise<Outcome>}
 */
async function download(version, directory, onProgress) {
  const child = fork(downloader, [version], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: {
      ...process.env,
      MONGOMS_DOWNLOAD_DIR: directory,
      MONGOMS_SYSTEM_BINARY: '',
      MONGOMS_MAX_RETRIES: '1',
      // The library verifies the server's certificate only when npm is set to.
      npm_config_strict_ssl: 'true',
    },
  });
  const impatience = setTimeout(() => child.kill('SIGKILL'), firstByteWithinMs);
  child.stdout?.resume().once('data', () => {
    clearTimeout(impatience);
    onProgress(`Downloading MongoDB ${version}; it is kept for the next time.`);
  });
  /** @type {Outcome[]} */
  const outcomes = [];
  child.on('message', (message) => outcomes.push(/** @type {Outcome} */ (message)));
  await once(child, 'close');
  clearTimeout(impatience);
  return outcomes[0] ?? { error: 'no answer from its download site' };
}
