import { randomBytes, randomUUID } from 'node:crypto';
import { type BusKey, createBusKeys } from '@action-platform/bus';
import { type BusUser, type ServiceName, services } from '@action-platform/contracts/services';
import type { DatabaseLogin } from '@action-platform/mongo';
import type { Certificates } from './certificates.ts';
import { accepted, formerStep, nextStep, type Rotating, type RotationStep, rotated } from './rotation.ts';
import { hostsByServer, isCertified, type Settings, withoutSecrets } from './settings.ts';

/** The users of MongoDB: one per service, and `admin` for operators. */
export type DatabaseUser = ServiceName | 'admin';
export const databaseUsers: readonly DatabaseUser[] = [...services, 'admin'];

type BusKeys = Readonly<Record<BusUser, BusKey>>;
type DatabaseLogins = Readonly<Record<DatabaseUser, DatabaseLogin>>;

/** All secrets of a deployment. `filesOf` derives the files of servers and services from it. */
export interface Deployment extends Partial<ReturnType<typeof createSecretKeys>> {
  /** Marks the users of this deployment in MongoDB. */
  readonly id: string;
  /** `place` in the stored form (`deployment.json`), which older versions wrote too. */
  readonly place: Settings;
  readonly busKeys: Rotating<BusKeys>;
  readonly databaseLogins: Rotating<DatabaseLogins>;
  /** Authenticates the members of the replica set to each other. */
  readonly databaseKey: string;
  /** Undefined without TLS. */
  readonly certificates?: Rotating<Certificates>;
}

/** The kinds of credentials, each with a rotation of its own. */
export const rotatable = ['keys', 'database-users', 'certificates'] as const;
export type Rotatable = (typeof rotatable)[number];

/** Creates a deployment with new credentials. */
export async function createDeployment(settings: Settings, { tls }: { tls: boolean }): Promise<Deployment> {
  return {
    ...createSecretKeys(),
    id: randomUUID(),
    place: withoutSecrets(settings),
    busKeys: { inUse: createBusKeys() },
    databaseLogins: { inUse: createDatabaseLogins() },
    databaseKey: randomBytes(96).toString('base64'),
    ...(tls && { certificates: { inUse: await certificatesFor(settings) } }),
  };
}

/** The deployment with other addresses, and with credentials for the users of a newer version. Existing credentials stay. */
export function adapted(deployment: Deployment, settings: Settings): Deployment {
  return {
    ...createSecretKeys(),
    ...deployment,
    place: withoutSecrets(settings),
    busKeys: forAll(deployment.busKeys, createBusKeys),
    databaseLogins: forAll(deployment.databaseLogins, createDatabaseLogins),
  };
}

/** The hosts that no certificate in use covers. A rotation of the certificates covers them. */
export function uncertifiedHosts({ place, certificates }: Deployment): string[] {
  if (certificates === undefined) return [];
  const { servers } = certificates.inUse;
  return Object.entries(hostsByServer(place)).flatMap(([server, hosts]) =>
    hosts.filter((host) => !isCertified(host, servers[server])),
  );
}

/** The field of a deployment that has what is rotated. */
const fields = { keys: 'busKeys', 'database-users': 'databaseLogins', certificates: 'certificates' } as const;

/**
 * Takes the next step of a rotation.
 *
 * @returns the deployment after the step, and the step
 */
export async function rotate(
  deployment: Deployment,
  what: Rotatable,
): Promise<{ deployment: Deployment; step: RotationStep }> {
  const makers = {
    keys: createBusKeys,
    'database-users': createDatabaseLogins,
    certificates: () => certificatesFor(deployment.place),
  };
  const rotating = rotatingOf(deployment, what);
  const after = await rotated<object>(rotating, makers[what]);
  return { deployment: { ...deployment, [fields[what]]: after }, step: nextStep(rotating) };
}

/** The step that `rotate` took before; undefined before the first step of a rotation, and after the last. */
export function stepTaken(deployment: Deployment, what: Rotatable): RotationStep | undefined {
  return formerStep(rotatingOf(deployment, what));
}

function rotatingOf(deployment: Deployment, what: Rotatable): Rotating<object> {
  const rotating = deployment[fields[what]];
  if (rotating === undefined)
    throw new Error('This deployment has no certificates: it was made without TLS.');
  return rotating;
}

/** MAIL_SECRET_KEYS, WEBHOOK_SECRET_KEYS, CUSTOM_OPERATION_SIGNING_KEYS, and SEAL_KEYS of every process. */
function createSecretKeys() {
  // Each variable has one key of 32 bytes with an id: of AES-256, or a private one of P-256.
  const create = () => `key-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`;
  return { mailKeys: create(), webhookKeys: create(), customOperationKeys: create(), sealKeys: create() };
}

function createDatabaseLogins(): DatabaseLogins {
  const logins = databaseUsers.map((name) => {
    // The name is unique, so that two generations of a user can exist at the same time.
    const user = `${name}-${randomBytes(4).toString('hex')}`;
    return [name, { user, password: randomBytes(32).toString('base64url') }] as const;
  });
  return Object.fromEntries(logins) as DatabaseLogins;
}

/** Creates the certificates. `certificatesFor` loads the library only now, because loading takes 0.2 s. */
async function certificatesFor(settings: Settings): Promise<Certificates> {
  const { createCertificates } = await import('./certificates.ts');
  return await createCertificates(hostsByServer(settings));
}

/** Adds credentials for users without them. */
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
