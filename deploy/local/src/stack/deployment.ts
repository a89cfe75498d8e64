import {
  adapted,
  createDeployment,
  type Deployment,
  establishUsersThrough,
  readDeployment,
  type Settings,
  writeDeployment,
} from '@action-platform/deployment';
import { hostsOf } from '@action-platform/mongo';
import type { LocalDirectory } from '../local-directory.ts';

/** Creates the deployment of a local stack at the first start, and updates its addresses at each further one. */
export async function openDeployment(
  { keys }: LocalDirectory,
  settings: Omit<Settings, 'seenAt'>,
): Promise<Deployment> {
  const here = { ...settings, seenAt: keys };
  const kept = readDeployment(keys);
  const deployment = kept === undefined ? await createDeployment(here, { tls: false }) : adapted(kept, here);
  writeDeployment(keys, deployment);
  return deployment;
}

/**
 * Creates the services' users in a given MongoDB; the error says in one line what MONGODB_URL needs.
 *
 * @param url the URL of MongoDB with the credentials of an administrator.
 */
export async function establishUsers(url: string, deployment: Deployment): Promise<void> {
  try {
    await establishUsersThrough(url, deployment);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `Creating a user for each service in the MongoDB at ${hostsOf(url)} failed: MONGODB_URL needs a user that may create users (${reason}).`,
    );
  }
}
