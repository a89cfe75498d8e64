import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defaultLimits, largestMessageBytes } from '@action-platform/contracts/limits';
import {
  adapted,
  createDeployment,
  type Deployment,
  prepareDatabase,
  type Rotatable,
  type RotationAction,
  readDeployment,
  reloadCertificates,
  rotatable,
  rotate,
  rotationActions,
  type Settings,
  stepTaken,
  uncertifiedHosts,
  whileLocked,
  writeDeployment,
} from '@action-platform/deployment';
import { replicaSet } from '@action-platform/mongo';
import { z } from 'zod';

const folderInput = z.object({
  dir: z.string().meta({ description: 'The folder of the deployment.' }),
});

const initInput = folderInput.extend({
  bus_host: z.array(z.string()).optional().meta({
    description: 'A host name or IP address of NATS. The first default is nats.',
  }),
  database_host: z.array(z.string()).optional().meta({
    description: 'Host and port of a member of the replica set. The first default is mongo:27017.',
  }),
  certificate: z.array(z.string()).optional().meta({
    description: 'The host name of a further server that gets a certificate.',
  }),
  seen_at: z.string().optional().meta({
    description: 'The path of the folder for servers and services. The first default is its path here.',
  }),
  max_message_bytes: z.int().min(1).optional().meta({
    description:
      'The largest message on the bus, in bytes. The first default suffices for the default limits.',
  }),
  plain: z.boolean().default(false).meta({ description: 'Without TLS.' }),
});
type InitOptions = Omit<z.output<typeof initInput>, 'dir' | 'plain'>;

const init = {
  name: 'deployment init',
  summary:
    'Creates keys, certificates, users and server configuration of a deployment. Keeps existing ones, and the former value of each omitted option.',
  input: initInput,
  run: async (input: z.output<typeof initInput>) =>
    await whileLocked(input.dir, async () => await createOrAdapt(input)),
};

async function createOrAdapt({ dir, plain, ...options }: z.output<typeof initInput>) {
  const kept = readDeployment(dir);
  if (plain && kept?.certificates !== undefined)
    throw new Error(`The deployment in ${dir} has TLS: create one without TLS in another folder.`);
  const settings = settingsOf(dir, options, kept?.place);
  const deployment =
    kept === undefined ? await createDeployment(settings, { tls: !plain }) : adapted(kept, settings);
  writeDeployment(dir, deployment);
  ignoreKeys(dir);
  const uncertified = uncertifiedHosts(deployment);
  return {
    dir,
    is_new: kept === undefined,
    // ISO 8601; null without TLS.
    certificates_valid_until: deployment.certificates?.inUse.validUntil ?? null,
    ...(uncertified.length > 0 && {
      next: `No certificate covers ${uncertified.join(', ')}: run deployment rotate certificates.`,
    }),
  };
}

/** Has git ignore the keys of a deployment, unless its folder says what git ignores there. */
function ignoreKeys(dir: string): void {
  const file = join(dir, '.gitignore');
  if (!existsSync(file))
    writeFileSync(file, '# Keys and passwords.\n*\n!kustomization.yaml\n', { mode: 0o600 });
}

/** The settings of a deployment: options first, then the values `before`, then those of docker-compose.yml. */
function settingsOf(dir: string, options: InitOptions, before: Partial<Settings> = {}): Settings {
  const { seen_at, bus_host, database_host, certificate, max_message_bytes } = options;
  const urlOf = (hosts: readonly string[]) => `mongodb://${hosts}/?replicaSet=${replicaSet}`;
  // A newer version may need a larger limit.
  const needed = Math.max(largestMessageBytes(defaultLimits), before.maxMessageBytes ?? 0);
  return {
    seenAt: seen_at ?? before.seenAt ?? resolve(dir),
    busHosts: bus_host ?? before.busHosts ?? ['nats'],
    databaseUrl: database_host ? urlOf(database_host) : (before.databaseUrl ?? urlOf(['mongo:27017'])),
    certified: certificate ?? before.certified ?? [],
    maxMessageBytes: max_message_bytes ?? needed,
  };
}

const users = {
  name: 'deployment database-users',
  summary: 'Initiates the replica set of a deployment and sets its users. May be repeated.',
  input: folderInput,
  run: async ({ dir }: z.output<typeof folderInput>) => {
    await prepareDatabase(open(dir));
    return { dir, is_prepared: true };
  },
};

const certificates = {
  name: 'deployment reload-certificates',
  summary: 'Makes each mongod of a deployment reload its certificates. Open connections stay.',
  input: folderInput,
  run: async ({ dir }: z.output<typeof folderInput>) => {
    await reloadCertificates(open(dir));
    return { dir, is_reloaded: true };
  },
};

const instructions: Readonly<Record<RotationAction, string>> = {
  'reload-bus': 'Send SIGHUP to each nats-server.',
  'reload-databases': 'Run deployment reload-certificates.',
  'database-users': 'Run deployment database-users.',
  restart: 'Restart gateways and services one after the other.',
};

const rotateInput = folderInput.extend({
  again: z.boolean().default(false).meta({
    description:
      'Takes no step: writes the files and prints the actions of the former step again; after remove, none.',
  }),
});

const rotations = rotatable.map((what) => ({
  name: `deployment rotate ${what}`,
  summary: `Takes the next step of a rotation of the ${what.replace('-', ' ')}: add, use, remove. Prints the actions before the next step.`,
  input: rotateInput,
  run: async (input: z.output<typeof rotateInput>) => {
    open(input.dir);
    return await whileLocked(input.dir, async () => await takeStep(what, input));
  },
}));

async function takeStep(what: Rotatable, { dir, again }: z.output<typeof rotateInput>) {
  const before = open(dir);
  const { deployment, step } = again
    ? { deployment: before, step: stepTaken(before, what) }
    : await rotate(before, what);
  writeDeployment(dir, deployment);
  const actions = step === undefined ? [] : rotationActions[what][step];
  return {
    dir,
    step: step ?? 'none',
    actions,
    next: actions.map((action) => instructions[action]).join(' '),
  };
}

export const deploymentCommands = [init, users, certificates, ...rotations];

function open(dir: string): Deployment {
  const deployment = readDeployment(dir);
  if (deployment === undefined) throw new Error(`${dir} has no deployment: create one with deployment init.`);
  return deployment;
}
