import { SourceUnavailable } from '../errors.mjs';
import { download } from './download.mjs';

/** @typedef {import('./pins.mjs').Archive} Archive */

/**
 * The archive with MongoDB's own build for this machine. mongodb-memory-server-core knows which of dozens that is. MongoDB
 * publishes the hash beside the archive, so both rest on TLS to one server.
 *
 * @param {string} version
 * @returns {Promise<Archive>}
 * @throws {SourceUnavailable}
 */
export async function officialMongod(version) {
  // From here, because a bare checkout has no packages.
  const { MongoBinaryDownloadUrl } = await import(
    'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'
  );
  const { getOS } = await import('mongodb-memory-server-core/lib/util/getos/index.js');
  const { platform, arch } = process;
  const build = new MongoBinaryDownloadUrl({ version, platform, arch, os: await getOS() });
  const from = await build.getDownloadUrl().catch(({ message }) => {
    throw new SourceUnavailable(`MongoDB has no build of ${version} for this machine (${message})`);
  });
  const published = await (await download(`${from}.sha256`)).text();
  const [sha256 = ''] = /^[0-9a-f]{64}/.exec(published) ?? [];
  return { from, sha256 };
}
