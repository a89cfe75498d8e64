import { join } from 'node:path';
import type { BusUser, ServiceName } from '@action-platform/contracts';
import {
  adapted,
  createDeployment,
  type Deployment,
  establishUsersThrough,
  type Place,
  paths,
  readDeployment,
  writeDeployment,
} from '@action-platform/deployment';
import { hostsOf } from '@action-platform/mongo';
import type { LocalDirectory } from '../local-directory.ts';

/** The deployment of a local stack: created at the first start, with the addresses updated at each start. */
export async function openDeployment(
  { keys }: LocalDirectory,
  place: Omit<Place, 'seenAt'>,
): Promise<Deployment> {
  const here = { ...place, seenAt: keys };
  const kept = readDeployment(keys);
  const deployment = kept === undefined ? await createDeployment(here, { tls: false }) : adapted(kept, here);
  writeDeployment(keys, deployment);
  return deployment;
}

/** Creates the services' users in MongoDB; an error says in one line what it needs. @param url with the user and password of an administrator. */
export async function establishUsers(url: string, deployment: Deployment): Promise<void> {
  try {
    await establishUsersThrough(url, deployment);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `A user for each service could not be made in the MongoDB at ${hostsOf(url)}: MONGODB_URL needs the user and password of one who may do so (${reason}).`,
    );
  }
}

/** The variables with a process's key to the bus. */
export function busCredentials({ keys }: LocalDirectory, user: BusUser): Record<string, string> {
  return { NATS_NKEY_SEED_FILE: join(keys, paths.seed(user)) };
}

/** The variable with the address of a service's database, its user and its password. */
export function databaseCredentials({ keys }: LocalDirectory, service: ServiceName): Record<string, string> {
  return { MONGODB_URL_FILE: join(keys, paths.databaseUrl(service)) };
}
