import { natsServerConfig } from '@action-platform/bus';
import { type BusUser, busUsers } from '@action-platform/contracts';
import { replicaSet, urlFor } from '@action-platform/mongo';
import { type DatabaseUser, type Deployment, databaseUsers } from './deployment.ts';
import { accepted } from './rotation.ts';

/** Where each file of a deployment is, in its folder. */
export const paths = {
  natsServerConfig: 'bus/nats-server.conf',
  seed: (user: BusUser) => `bus/${user}.seed`,
  mongodConfig: 'database/mongod.conf',
  databaseKey: 'database/key-file',
  databaseUrl: (user: DatabaseUser) => `database/${user}.url`,
  authority: 'tls/ca.pem',
  /** Certificate and key of a server. */
  certificate: (server: string) => `tls/${server}.pem`,
} as const;

/** What servers and services need to know of a deployment: the content of each file, by its path. */
export function filesOf(deployment: Deployment): Map<string, string> {
  const { place, busKeys, databaseLogins, databaseKey, certificates } = deployment;
  const files = new Map([
    [paths.natsServerConfig, natsConfigOf(deployment)],
    [paths.mongodConfig, mongodConfigOf(deployment)],
    [paths.databaseKey, `${databaseKey}\n`],
    ...busUsers.map((user) => [paths.seed(user), `${busKeys.inUse[user].seed}\n`] as const),
    ...databaseUsers.map(
      (user) =>
        [
          paths.databaseUrl(user),
          `${urlFor(databaseLogins.inUse[user], place.databaseUrl, tlsOptions(deployment))}\n`,
        ] as const,
    ),
  ]);
  if (certificates === undefined) return files;
  const { servers } = certificates.inUse;
  for (const [server, certificate] of Object.entries(servers))
    files.set(paths.certificate(server), certificate);
  const authorities = accepted(certificates).map(({ authority }) => authority);
  return files.set(paths.authority, authorities.join(''));
}

/** What the URL of a deployment's MongoDB needs besides credentials. */
export function tlsOptions({ place, certificates }: Deployment): Record<string, string> {
  return certificates === undefined ? {} : { tls: 'true', tlsCAFile: `${place.seenAt}/${paths.authority}` };
}

/** Address and port are the operator's to add. */
function natsConfigOf({ place, busKeys, certificates }: Deployment): string {
  const keysOf = (user: BusUser) => accepted(busKeys).map((keys) => keys[user].publicKey);
  const publicKeys = Object.fromEntries(busUsers.map((user) => [user, keysOf(user)]));
  const config = natsServerConfig(publicKeys as Record<BusUser, string[]>, place.maxMessageBytes);
  if (certificates === undefined) return config;
  const file = `${place.seenAt}/${paths.certificate('nats')}`;
  // Nothing is said before it is encrypted, so nobody on the way can talk a client out of it.
  const tls = { cert_file: file, key_file: file, handshake_first: true };
  return `${config}tls: ${JSON.stringify(tls, null, 2)}\n`;
}

/** Address, port and the folder of the data are the operator's to add. */
function mongodConfigOf({ place: { seenAt }, certificates }: Deployment): string {
  const config = {
    security: { keyFile: `${seenAt}/${paths.databaseKey}` },
    replication: { replSetName: replicaSet },
    // Hashing often protects passwords that can be guessed; these have 256 random bits, and each connection waits for it.
    setParameter: {
      scramSHA256IterationCount: 5_000,
      // How much longer than it was asked to a member waits for what another has new: whoever hangs is given up sooner. 2 s by default.
      oplogNetworkTimeoutBufferSeconds: 1,
    },
    ...(certificates && {
      net: {
        tls: {
          mode: 'requireTLS',
          certificateKeyFile: `${seenAt}/${paths.certificate('mongodb')}`,
          CAFile: `${seenAt}/${paths.authority}`,
          // Clients show a password.
          allowConnectionsWithoutCertificates: true,
        },
      },
    }),
  };
  // mongod reads YAML, of which JSON is a part.
  return `${JSON.stringify(config, null, 2)}\n`;
}
