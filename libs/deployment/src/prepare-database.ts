import { setTimeout as delay } from 'node:timers/promises';
import { services } from '@action-platform/contracts';
import { hostsOf, initiate, urlForMember } from '@action-platform/mongo';
import { MongoClient } from 'mongodb';
import { establishUsers } from './database-users.ts';
import { type Deployment, databaseUsers } from './deployment.ts';
import { tlsOptions } from './files.ts';

/** How long the servers have to come up, in milliseconds. */
const PATIENCE_MS = 60_000;
const ASK_AGAIN_MS = 50;

/**
 * Makes the MongoDB of a deployment what its services expect: a replica set, with the users of the deployment. It may be
 * repeated, and is after each step of a rotation.
 *
 * @throws Error when no server is there within a minute
 */
export async function prepareDatabase(deployment: Deployment): Promise<void> {
  const { databaseKey, place } = deployment;
  const hosts = hostsOf(place.databaseUrl);
  const tls = tlsOptions(deployment);
  const direct = urlForMember(databaseKey, `mongodb://${hosts[0]}/?directConnection=true`, tls);
  await withClient(direct, (client) => makeReplicaSet(client, hosts));
  const anything = urlForMember(databaseKey, place.databaseUrl, tls);
  await withClient(anything, (client) => establishUsers(client, deployment, databaseUsers));
}

/**
 * Makes the services' users in a MongoDB that somebody else runs, and manages.
 *
 * @param url of a user who may make users
 */
export async function establishUsersThrough(url: string, deployment: Deployment): Promise<void> {
  await withClient(url, (client) => establishUsers(client, deployment, services));
}

/** Makes a mongod, and the others at `hosts`, a replica set unless it belongs to one; resolves when the set has a primary. */
async function makeReplicaSet(direct: MongoClient, hosts: readonly string[]): Promise<void> {
  const admin = direct.db('admin');
  await initiate(admin, hosts);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  while ((await admin.command({ hello: 1 })).primary === undefined)
    await delay(ASK_AGAIN_MS, undefined, { signal });
}

async function withClient(url: string, work: (client: MongoClient) => Promise<void>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: PATIENCE_MS });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.close();
  }
}
