import { join } from 'node:path';
import type { ProcessName, ServiceName } from '@action-platform/contracts';
import {
  adapted,
  createDeployment,
  type Deployment,
  establishUsersThrough,
  keyedServices,
  type Place,
  paths,
  readDeployment,
  writeDeployment,
} from '@action-platform/deployment';
import { hostsOf } from '@action-platform/mongo';
import type { LocalDirectory } from '../local-directory.ts';

/** Creates the deployment of a local stack at the first start, and updates its addresses at each further one. */
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

/** The variables with a process's key to the bus, and its keys that seal. */
export function processCredentials({ keys }: LocalDirectory, process: ProcessName): Record<string, string> {
  return {
    NATS_NKEY_SEED_FILE: join(keys, paths.seed(process)),
    SEAL_KEYS_FILE: join(keys, paths.sealKeys(process)),
  };
}

/** The variable with the address of a service's database, its user and its password. */
export function databaseCredentials({ keys }: LocalDirectory, service: ServiceName): Record<string, string> {
  return { MONGODB_URL_FILE: join(keys, paths.databaseUrl(service)) };
}

/** The variable with the keys of each service that stores secrets or signs. */
const secretKeyVariables = {
  mail: 'MAIL_SECRET_KEYS',
  events: 'WEBHOOK_SECRET_KEYS',
  'custom-operations': 'CUSTOM_OPERATION_SIGNING_KEYS',
} as const;

/** The variable with the file of a service's secret keys, unless it has none or the environment of `npm start` has keys. */
export function secretKeys(
  { keys }: LocalDirectory,
  service: ServiceName,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const keyed = keyedServices.find((name) => name === service);
  if (keyed === undefined) return {};
  const variable = secretKeyVariables[keyed];
  if (environment[variable] || environment[`${variable}_FILE`]) return {};
  return { [`${variable}_FILE`]: join(keys, paths.secretKeys(keyed)) };
}
