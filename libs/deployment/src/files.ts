import { join } from 'node:path';
import { natsServerConfig } from '@action-platform/bus';
import { type BusUser, busUsers, type ProcessName, processes } from '@action-platform/contracts/services';
import { replicaSet, urlFor } from '@action-platform/mongo';
import type { Certificates } from './certificates.ts';
import { type DatabaseUser, type Deployment, databaseUsers } from './deployment.ts';
import { accepted, type Rotating } from './rotation.ts';

/** The services that have keys of their own, which encrypt stored secrets or sign the tokens of calls, and the variable with them. */
export const keyVariables = {
  mail: 'MAIL_SECRET_KEYS',
  events: 'WEBHOOK_SECRET_KEYS',
  'custom-operations': 'CUSTOM_OPERATION_SIGNING_KEYS',
} as const;
export const keyedServices = Object.keys(keyVariables) as (keyof typeof keyVariables)[];

/**
 * The path of each file in the folder of a deployment. Every reader has a folder of its own, which containers mount as a whole:
 * a mount of a single file would keep the file that a rotation has replaced.
 */
export const paths = {
  natsServerConfig: 'nats/nats-server.conf',
  mongodConfig: 'mongodb/mongod.conf',
  databaseKey: 'mongodb/key-file',
  /** Certificate and private key of a server. */
  certificate: (server: string) => `${server}/certificate.pem`,
  secretKeys: (service: (typeof keyedServices)[number]) => `${service}/secret.keys`,
  /** The keys that seal what leaves the platform and returns. */
  sealKeys: (process: ProcessName) => `${process}/seal.keys`,
  seed: (user: BusUser) => `${user}/bus.seed`,
  databaseUrl: (user: DatabaseUser) => `${user}/database.url`,
  /** The certificates of the authorities, which are not secret, and which every server and service reads. */
  authority: 'tls/ca.pem',
} as const;

/** The variables with which a process finds its credentials in the folder of a deployment. */
export function credentialVariables(folder: string, process: ProcessName): Record<string, string> {
  const file = (path: string) => join(folder, path);
  const keyed = keyedServices.find((service) => service === process);
  return {
    NATS_NKEY_SEED_FILE: file(paths.seed(process)),
    SEAL_KEYS_FILE: file(paths.sealKeys(process)),
    ...(process !== 'gateway' && { MONGODB_URL_FILE: file(paths.databaseUrl(process)) }),
    ...(keyed !== undefined && { [`${keyVariables[keyed]}_FILE`]: file(paths.secretKeys(keyed)) }),
  };
}

/** The files of servers and services: content by path. */
export function filesOf(deployment: Deployment): Map<string, string> {
  const { place, busKeys, databaseLogins, databaseKey, certificates } = deployment;
  const files = new Map<string, string>([
    [paths.natsServerConfig, natsConfigOf(deployment)],
    [paths.mongodConfig, mongodConfigOf(deployment)],
    [paths.databaseKey, `${databaseKey}\n`],
  ]);
  const keys = [
    [paths.secretKeys('mail'), deployment.mailKeys],
    [paths.secretKeys('events'), deployment.webhookKeys],
    [paths.secretKeys('custom-operations'), deployment.customOperationKeys],
    ...processes.map((process) => [paths.sealKeys(process), deployment.sealKeys] as const),
  ] as const;
  for (const [path, list] of keys) if (list !== undefined) files.set(path, `${list}\n`);
  for (const user of busUsers) files.set(paths.seed(user), `${busKeys.inUse[user].seed}\n`);
  for (const user of databaseUsers) {
    const url = urlFor(databaseLogins.inUse[user], place.databaseUrl, tlsOptions(deployment));
    files.set(paths.databaseUrl(user), `${url}\n`);
  }
  if (certificates === undefined) return files;
  for (const [server, certificate] of Object.entries(certificates.inUse.servers))
    files.set(paths.certificate(server), certificate);
  return files.set(paths.authority, authoritiesOf(certificates));
}

/** The certificates of all authorities that servers and services accept, in PEM (RFC 7468). */
export function authoritiesOf(certificates: Rotating<Certificates>): string {
  return accepted(certificates)
    .map(({ authority }) => authority)
    .join('');
}

/** The TLS parameters of this deployment's MongoDB URLs; empty without TLS. */
function tlsOptions({ place, certificates }: Deployment): Record<string, string> {
  return certificates === undefined ? {} : { tls: 'true', tlsCAFile: `${place.seenAt}/${paths.authority}` };
}

/** The configuration of nats-server, to which the operator adds address and port. */
function natsConfigOf({ place, busKeys, certificates }: Deployment): string {
  const keysOf = (user: BusUser) => accepted(busKeys).map((keys) => keys[user].publicKey);
  const publicKeys = Object.fromEntries(busUsers.map((user) => [user, keysOf(user)]));
  const config = natsServerConfig(publicKeys as Record<BusUser, string[]>, place.maxMessageBytes);
  if (certificates === undefined) return config;
  const file = `${place.seenAt}/${paths.certificate('nats')}`;
  // TLS begins before the first byte of the protocol, so a man in the middle cannot downgrade a connection.
  const tls = { cert_file: file, key_file: file, handshake_first: true };
  return `${config}tls: ${JSON.stringify(tls, null, 2)}\n`;
}

/** The configuration of mongod, to which the operator adds address, port and data folder. */
function mongodConfigOf({ place: { seenAt }, certificates }: Deployment): string {
  const config = {
    security: { keyFile: `${seenAt}/${paths.databaseKey}` },
    replication: { replSetName: replicaSet },
    setParameter: {
      // Iterations protect weak passwords. The deployment's passwords have 256 random bits, and each new connection waits for the hash.
      scramSHA256IterationCount: 5_000,
      // The time that a member waits for a hanging sync source after the time of its request. The default is 2 s.
      oplogNetworkTimeoutBufferSeconds: 1,
    },
    ...(certificates && {
      net: {
        tls: {
          mode: 'requireTLS',
          certificateKeyFile: `${seenAt}/${paths.certificate('mongodb')}`,
          CAFile: `${seenAt}/${paths.authority}`,
          // Clients authenticate with a password.
          allowConnectionsWithoutCertificates: true,
        },
      },
    }),
  };
  // mongod reads YAML, a superset of JSON.
  return `${JSON.stringify(config, null, 2)}\n`;
}
