import { setTimeout as delay } from 'node:timers/promises';
import { services } from '@action-platform/contracts/services';
import { hostsOf, initiate, urlForMember } from '@action-platform/mongo';
import { MongoClient, type MongoClientOptions, MongoServerSelectionError } from 'mongodb';
import { establishUsers } from './database-users.ts';
import { type Deployment, databaseUsers } from './deployment.ts';
import { authoritiesOf } from './files.ts';

/** The longest wait for a connection to MongoDB, and for a primary. */
const TIMEOUT_MS = 25_000;
const POLL_MS = 50;

/**
 * Initiates the replica set of a deployment, unless it exists, and establishes the deployment's users in it. `prepareDatabase` is safe to
 * repeat; operators repeat it after each step of a rotation.
 *
 * @param timeoutMs the longest wait for each of its two connections, and for a primary
 * @throws Error that names each host with its reason when MongoDB is unreachable
 */
export async function prepareDatabase(deployment: Deployment, timeoutMs = TIMEOUT_MS): Promise<void> {
  const hosts = hostsOf(deployment.place.databaseUrl);
  await withClient(memberUrl(deployment, hosts[0]!), tlsOf(deployment), timeoutMs, async (client) => {
    const admin = client.db('admin');
    await initiate(admin, hosts);
    const deadline = performance.now() + timeoutMs;
    while ((await admin.command({ hello: 1 })).primary === undefined) {
      if (performance.now() > deadline)
        throw new Error(`The replica set of ${hosts} has elected no primary in ${timeoutMs / 1_000} s.`);
      await delay(POLL_MS);
    }
  });
  const { databaseKey, place } = deployment;
  const anyMember = urlForMember(databaseKey, place.databaseUrl);
  await withClient(anyMember, tlsOf(deployment), timeoutMs, (client) =>
    establishUsers(client, deployment, databaseUsers),
  );
}

/** Makes each member of the replica set reload its certificates. Open connections stay. */
export async function reloadCertificates(deployment: Deployment): Promise<void> {
  for (const host of hostsOf(deployment.place.databaseUrl)) {
    await withClient(memberUrl(deployment, host), tlsOf(deployment), TIMEOUT_MS, async (client) => {
      await client.db('admin').command({ rotateCertificates: 1 });
    });
  }
}

/**
 * Creates the services' users in a MongoDB outside the deployment.
 *
 * @param url the URL of MongoDB with the credentials of a user that may create users
 */
export async function establishUsersThrough(url: string, deployment: Deployment): Promise<void> {
  await withClient(url, {}, TIMEOUT_MS, (client) => establishUsers(client, deployment, services));
}

/** The URL of one member, authenticated by the key file of the replica set. */
function memberUrl(deployment: Deployment, host: string): string {
  return urlForMember(deployment.databaseKey, `mongodb://${host}/?directConnection=true`);
}

/** The operator's machine has the authorities' certificates at another path than servers and services (`seenAt`). */
function tlsOf({ certificates }: Deployment): MongoClientOptions {
  return certificates === undefined ? {} : { tls: true, ca: authoritiesOf(certificates) };
}

async function withClient(
  url: string,
  tls: MongoClientOptions,
  timeoutMs: number,
  work: (client: MongoClient) => Promise<void>,
): Promise<void> {
  const client = new MongoClient(url, { ...tls, serverSelectionTimeoutMS: timeoutMs });
  try {
    await client.connect();
    await work(client);
  } catch (error) {
    throw error instanceof MongoServerSelectionError ? unreachable(error) : error;
  } finally {
    await client.close();
  }
}

/** The driver's own message names neither hosts nor reasons. */
function unreachable(error: MongoServerSelectionError): Error {
  const hosts = [...(error.reason?.servers.values() ?? [])].map(
    ({ address, error, type }) => `${address}: ${error?.message ?? type}`,
  );
  return new Error(`MongoDB cannot be reached. ${hosts.join('; ')}`, { cause: error });
}
