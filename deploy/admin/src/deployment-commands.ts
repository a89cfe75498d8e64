import { resolve } from 'node:path';
import { largestMessageBytes, limitsSchema } from '@action-platform/contracts';
import {
  adapted,
  createDeployment,
  type Deployment,
  prepareDatabase,
  type Rotatable,
  type RotationStep,
  readDeployment,
  rotatable,
  rotate,
  writeDeployment,
} from '@action-platform/deployment';
import { replicaSet } from '@action-platform/mongo';
import { z } from 'zod';

const folderInput = z.object({
  dir: z.string().meta({ description: 'The folder of the deployment.' }),
});

const initInput = folderInput.extend({
  bus_host: z
    .array(z.string())
    .default(['nats'])
    .meta({ description: 'A host name or IP address of NATS; nats when left out.' }),
  database_host: z
    .array(z.string())
    .default(['mongo:27017'])
    .meta({ description: 'Host and port of a member of the replica set; mongo:27017 when left out.' }),
  certificate: z
    .array(z.string())
    .default([])
    .meta({ description: 'The host name of a further server that is to have a certificate.' }),
  seen_at: z
    .string()
    .optional()
    .meta({ description: 'Where servers and services see the folder; where it is when left out.' }),
  max_message_bytes: z
    .int()
    .min(1)
    .default(largestMessageBytes(limitsSchema.parse({})))
    .meta({ description: 'The largest message on the bus, in bytes.' }),
  plain: z.boolean().default(false).meta({ description: 'Without TLS.' }),
});

const init = {
  name: 'deployment init',
  summary:
    'Makes keys, certificates, users and server configuration for a deployment, and keeps those that are there.',
  input: initInput,
  run: async ({ dir, seen_at, plain, ...asked }: z.output<typeof initInput>) => {
    const place = {
      seenAt: seen_at ?? resolve(dir),
      busHosts: asked.bus_host,
      databaseUrl: `mongodb://${asked.database_host.join(',')}/?replicaSet=${replicaSet}`,
      certified: asked.certificate,
      maxMessageBytes: asked.max_message_bytes,
    };
    const kept = readDeployment(dir);
    const deployment =
      kept === undefined ? await createDeployment(place, { tls: !plain }) : adapted(kept, place);
    writeDeployment(dir, deployment);
    return { dir, is_new: kept === undefined, certificates_valid_until: validity(deployment) };
  },
};

const users = {
  name: 'deployment database-users',
  summary:
    'Makes the MongoDB of a deployment a replica set with the users of the deployment. May be repeated.',
  input: folderInput,
  run: async ({ dir }: z.output<typeof folderInput>) => {
    await prepareDatabase(open(dir));
    return { dir, is_prepared: true };
  },
};

const RESTART = 'Restart gateways and services one after the other.';
const RELOAD = 'Have each nats-server read its configuration again (SIGHUP).';
const USERS = 'Run deployment database-users.';
const SERVERS = `${RELOAD} Have each mongod do the same with its certificates (rotateCertificates).`;

/** What is to be done after each step, before the next. */
const next: Readonly<Record<Rotatable, Readonly<Record<RotationStep, string>>>> = {
  keys: { add: RELOAD, use: RESTART, remove: RELOAD },
  'database-users': { add: USERS, use: RESTART, remove: USERS },
  certificates: { add: `${SERVERS} ${RESTART}`, use: SERVERS, remove: `${SERVERS} ${RESTART}` },
};

const rotations = rotatable.map((what) => ({
  name: `deployment rotate ${what}`,
  summary: `Takes the next step in replacing the ${what.replace('-', ' ')} of a deployment: add, use, remove.`,
  input: folderInput,
  run: async ({ dir }: z.output<typeof folderInput>) => {
    const { deployment, step } = await rotate(open(dir), what);
    writeDeployment(dir, deployment);
    return { dir, step, next: next[what][step] };
  },
}));

/** What an operator does with a deployment before, and while, it runs. */
export const deploymentCommands = [init, users, ...rotations];

function open(dir: string): Deployment {
  const deployment = readDeployment(dir);
  if (deployment === undefined)
    throw new Error(`There is no deployment in ${dir}: make one with deployment init.`);
  return deployment;
}

/** ISO 8601; null without TLS. */
function validity({ certificates }: Deployment): string | null {
  return certificates?.inUse.validUntil ?? null;
}
