import { randomBytes, randomUUID } from 'node:crypto';
import { type BusKey, createBusKeys } from '@action-platform/bus';
import { type BusUser, type ServiceName, services } from '@action-platform/contracts';
import type { DatabaseLogin } from '@action-platform/mongo';
import type { Certificates } from './certificates.ts';
import { hostsByServer, isCertified, type Place, withoutSecrets } from './place.ts';
import { accepted, nextStep, type Rotating, type RotationStep, rotated } from './rotation.ts';

/** Who has credentials for MongoDB: each service, and whoever manages all databases. */
export type DatabaseUser = ServiceName | 'admin';
export const databaseUsers: readonly DatabaseUser[] = [...services, 'admin'];

type BusKeys = Readonly<Record<BusUser, BusKey>>;
type DatabaseLogins = Readonly<Record<DatabaseUser, DatabaseLogin>>;

/** Everything secret of a deployment. What servers and services get is made from it. */
export interface Deployment {
  /** Tells its users in MongoDB from those of others. */
  readonly id: string;
  readonly place: Place;
  readonly busKeys: Rotating<BusKeys>;
  readonly databaseLogins: Rotating<DatabaseLogins>;
  /** What the members of the replica set know each other by. */
  readonly databaseKey: string;
  /** Without them nothing is encrypted. */
  readonly certificates?: Rotating<Certificates>;
}

/** What can be replaced, each by itself. */
export const rotatable = ['keys', 'database-users', 'certificates'] as const;
export type Rotatable = (typeof rotatable)[number];

/** A deployment with fresh credentials for everybody. */
export async function createDeployment(place: Place, { tls }: { tls: boolean }): Promise<Deployment> {
  return {
    id: randomUUID(),
    place: withoutSecrets(place),
    busKeys: { inUse: createBusKeys() },
    databaseLogins: { inUse: createDatabaseLogins() },
    databaseKey: randomBytes(96).toString('base64'),
    ...(tls && { certificates: { inUse: await certificatesFor(place) } }),
  };
}

/** The same deployment at another place, or for a version of the platform with further services: who has credentials keeps them. */
export function adapted(deployment: Deployment, place: Place): Deployment {
  return {
    ...deployment,
    place: withoutSecrets(place),
    busKeys: forAll(deployment.busKeys, createBusKeys),
    databaseLogins: forAll(deployment.databaseLogins, createDatabaseLogins),
  };
}

/** The hosts of a deployment with TLS that no certificate in use is for: replacing the certificates makes some. */
export function uncertifiedHosts({ place, certificates }: Deployment): string[] {
  if (certificates === undefined) return [];
  const { servers } = certificates.inUse;
  return Object.entries(hostsByServer(place)).flatMap(([server, hosts]) =>
    hosts.filter((host) => !isCertified(host, servers[server])),
  );
}

/**
 * Takes the next step in replacing something.
 *
 * @returns the deployment after it, and which step it was
 */
export async function rotate(
  deployment: Deployment,
  what: Rotatable,
): Promise<{ deployment: Deployment; step: RotationStep }> {
  const { busKeys, databaseLogins, certificates, place } = deployment;
  if (what === 'keys') {
    const after = await rotated(busKeys, createBusKeys);
    return { deployment: { ...deployment, busKeys: after }, step: nextStep(busKeys) };
  }
  if (what === 'database-users') {
    const after = await rotated(databaseLogins, createDatabaseLogins);
    return { deployment: { ...deployment, databaseLogins: after }, step: nextStep(databaseLogins) };
  }
  if (certificates === undefined)
    throw new Error('This deployment has no certificates: it was made without TLS.');
  const after = await rotated(certificates, () => certificatesFor(place));
  return { deployment: { ...deployment, certificates: after }, step: nextStep(certificates) };
}

function createDatabaseLogins(): DatabaseLogins {
  const logins = databaseUsers.map((name) => {
    // Each has a name of its own, so that the one that replaces it can be there at the same time.
    const user = `${name}-${randomBytes(4).toString('hex')}`;
    return [name, { user, password: randomBytes(32).toString('base64url') }] as const;
  });
  return Object.fromEntries(logins) as DatabaseLogins;
}

/** Loaded when needed: the library takes 0.2 s. */
async function certificatesFor(place: Place): Promise<Certificates> {
  const { createCertificates } = await import('./certificates.ts');
  return await createCertificates(hostsByServer(place));
}

/** Completes credentials that lack some users. */
function forAll<Credentials extends object>(
  rotating: Rotating<Credentials>,
  make: () => Credentials,
): Rotating<Credentials> {
  const fresh = make();
  const isComplete = (credentials: Credentials) => Object.keys(fresh).every((user) => user in credentials);
  if (accepted(rotating).every(isComplete)) return rotating;
  const complete = ([name, credentials]: [string, Credentials]) => [name, { ...make(), ...credentials }];
  return Object.fromEntries(Object.entries(rotating).map(complete)) as Rotating<Credentials>;
}
