import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import type { PlatformBusConfig } from '../../environment/nats-accounts.ts';
import { untilAnswering } from '../../environment/until-answering.ts';
import { Api } from '../api.ts';
import type { Contender, Environment } from '../contender.ts';
import { createWorkspace, operatorOf } from './operator.ts';
import { startTelemetry, type TelemetryMode } from './telemetry.ts';

const OWNER = 'bench-owner';

/** A version of the platform, before it is started. */
export interface PlatformVersion {
  readonly name: string;
  /** Its checkout. */
  readonly folder: string;
  readonly telemetry: TelemetryMode;
  readonly bus: PlatformBusConfig;
  /** The secret of each user of the bus. */
  readonly seeds: Readonly<Record<string, string>>;
  /** The arguments with which Node.js runs one of its services. */
  readonly runs: (service: string) => readonly string[];
}

/** The exports of the platform's own `libs` that this file uses, in any version. */
interface PlatformLibraries {
  createBusKeys(): Record<string, { publicKey: string; seed: string }>;
  natsServerConfig(publicKeys: Record<string, string>, maxMessageBytes: number): string;
  largestMessageBytes(limits: object): number;
  limitsSchema: { parse(environment: object): object };
  platformProcess?(service: string): string[];
}

/** Reads the bus configuration of a checkout. The first version is `platform`; the others have a number and their difference in the name. */
export async function readPlatform(
  folder: string,
  index: number,
  telemetry: TelemetryMode = 'off',
): Promise<PlatformVersion> {
  const load = async (library: string): Promise<PlatformLibraries> =>
    await import(pathToFileURL(join(folder, 'libs', library, 'src', 'index.ts')).href);
  const { createBusKeys, natsServerConfig } = await load('bus');
  const { largestMessageBytes, limitsSchema } = await load('contracts');
  const { platformProcess } = await load('local-servers');
  const keys = Object.entries(createBusKeys());
  const publicKeys = Object.fromEntries(keys.map(([user, { publicKey }]) => [user, publicKey]));
  const config = natsServerConfig(publicKeys, largestMessageBytes(limitsSchema.parse({})));
  const different = telemetry === 'off' ? basename(folder) : `telemetry ${telemetry}`;
  const name = index === 0 ? 'platform' : `platform ${index + 1}, ${different}`;
  return {
    name,
    folder,
    telemetry,
    bus: { account: `platform_${index}`, config },
    seeds: Object.fromEntries(keys.map(([user, { seed }]) => [user, seed])),
    // An older version does not export it.
    runs: platformProcess ?? ((service) => [join('services', service, 'src', 'main.ts')]),
  };
}

/** Starts every service of a version as a process, as production would, with an Owner who has a mailbox. */
export async function startPlatform(version: PlatformVersion, environment: Environment): Promise<Contender> {
  const { issuer } = environment;
  const port = await freePort();
  const processes = [];
  const telemetry = await startTelemetry(version.telemetry, fileNameOf(version), environment);
  for (const service of readdirSync(join(version.folder, 'services'))) {
    processes.push(await startService(service, version, environment, port, telemetry));
  }
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswering(`${origin}/readyz`, processes);
  const operator = operatorOf(version, environment);
  const token = await issuer.tokenFor(await createWorkspace(operator, 'bench', OWNER), OWNER);
  return {
    name: version.name,
    processes,
    target: { driver: 'http', origin, token },
    prepare: (scenario) => scenario.prepare(new Api(origin, token)),
  };
}

/** The name of the database of a service of a version. */
export function databaseOf({ bus }: Pick<PlatformVersion, 'bus'>, service: string): string {
  return `${bus.account}-${service}`;
}

/** The prefix of its files. */
function fileNameOf({ name }: PlatformVersion): string {
  return name.replace(/,.*/, '').replace(' ', '-');
}

async function startService(
  service: string,
  version: PlatformVersion,
  { servers, issuer, processes, folder: here }: Environment,
  port: number,
  telemetry: Readonly<Record<string, string>>,
) {
  const { folder, seeds, bus, runs } = version;
  return await processes.start({
    name: service,
    contender: fileNameOf(version),
    args: runs(service),
    cwd: folder,
    environment: {
      ...telemetry,
      NATS_URL: servers.nats.url,
      NATS_NKEY_SEED: seeds[service]!,
      MONGODB_URL: servers.mongod.url,
      // All contenders share a MongoDB without authentication.
      ALLOW_INSECURE: '1',
      MONGODB_DATABASE: databaseOf({ bus }, service),
      MAIL_LOCAL_DIR: join(here, bus.account, 'mail'),
      // One Workspace drafts all e-mails of a run.
      WORKSPACE_EMAILS_PER_DAY_MAX: '1000000000',
      FILES_DIR: join(here, bus.account, 'files'),
      ...(service === 'gateway' && {
        HOST: '127.0.0.1',
        PORT: String(port),
        SESSION_ISSUER: issuer.issuer,
        SESSION_AUDIENCE: issuer.audience,
        SESSION_JWKS_URL: issuer.jwksUrl,
      }),
    },
  });
}
