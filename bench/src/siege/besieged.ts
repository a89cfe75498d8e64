import { join } from 'node:path';
import { Api } from '../contenders/api.ts';
import type { Contender } from '../contenders/contender.ts';
import { createWorkspace, type Operator, operatorOf } from '../contenders/platform/operator.ts';
import { type PlatformVersion, readPlatform, startPlatform } from '../contenders/platform/platform.ts';
import { startIssuer } from '../environment/issuer.ts';
import { natsServerConfigOf } from '../environment/nats-accounts.ts';
import { NodeProcesses } from '../environment/node-process.ts';
import { type Servers, startServers } from '../environment/servers.ts';

/** A Workspace whose Members call. */
export interface Callers {
  readonly workspace: string;
  /** As its Owner, the first of its Members. */
  readonly api: Api;
  readonly owner: string;
  /** A session token of each Member. */
  readonly tokens: readonly string[];
}

/** A platform with its default configuration, and the tools of a siege. */
export interface Besieged {
  readonly folder: string;
  readonly origin: string;
  readonly version: PlatformVersion;
  readonly servers: Servers;
  readonly platform: Contender;
  readonly processes: NodeProcesses;
  readonly operator: Operator;
  /** Stops the processes that this scenario started beside the platform. */
  readonly stops: AsyncDisposableStack;
  /** Reports progress. */
  readonly tell: (line: string) => void;
  /** A new Workspace with so many Members. */
  callers(name: string, members: number): Promise<Callers>;
}

/** Starts the platform of a checkout with a mongod and a nats-server of its own, all files in this folder. */
export async function startBesieged(
  checkout: string,
  folder: string,
  tell: (line: string) => void,
  stops: AsyncDisposableStack,
): Promise<Besieged> {
  const version = await readPlatform(checkout, 0);
  const servers = await startServers(folder, natsServerConfigOf([version.bus]), stops);
  const issuer = await startIssuer(stops);
  const processes = new NodeProcesses(
    join(folder, 'logs'),
    { nodeFlags: [], profile: [], out: folder },
    stops,
  );
  const environment = { folder, servers, issuer, processes };
  const platform = await startPlatform(version, environment);
  if (platform.target.driver !== 'http') throw new Error('The platform is called over HTTP.');
  const { origin } = platform.target;
  const operator = operatorOf(version, environment);
  return {
    folder,
    origin,
    version,
    servers,
    platform,
    processes,
    operator,
    stops,
    tell,
    callers: async (name, members) => {
      const owner = `${name}-owner`;
      const workspace = await createWorkspace(operator, name, owner);
      const others = Array.from({ length: members - 1 }, (_, index) => `${name}-member-${index}`);
      for (const user of others) await operator('member', 'add', '--workspace', workspace, '--user', user);
      const tokens = await Promise.all([owner, ...others].map((user) => issuer.tokenFor(workspace, user)));
      return { workspace, owner, tokens, api: new Api(origin, tokens[0]!) };
    },
  };
}
