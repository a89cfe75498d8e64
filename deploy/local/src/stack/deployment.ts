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

/** The deployment of a local stack: made at the first start, and told where everything is at each. */
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

/** Makes the services' users in MongoDB; an error says in one line what it needs. @param url of one who may do so. */
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

/** The variables by which a process finds its key to the bus. */
export function busCredentials({ keys }: LocalDirectory, user: BusUser): Record<string, string> {
  return { NATS_NKEY_SEED_FILE: join(keys, paths.seed(user)) };
}

/** The variable by which a service finds its database, and the password for it. */
export function databaseCredentials({ keys }: LocalDirectory, service: ServiceName): Record<string, string> {
  return { MONGODB_URL_FILE: join(keys, paths.databaseUrl(service)) };
}
