import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startMongod, startNatsServer } from '@action-platform/local-servers';
import { TestIssuer } from '@action-platform/testing';
import { MongoClient } from 'mongodb';
import { type RunningProgram, startProgram } from '../process/start-program.ts';
import { Api } from './api.ts';
import type { Bench, Contender } from './contender.ts';
import { openDatabase } from './same-work/database.ts';

/** The processes of each peer, by the names of their scripts in `peers/`; the last serves HTTP. */
export const peers: Readonly<Record<string, readonly string[]>> = {
  monolith: ['monolith'],
  moleculer: ['grants', 'record-store', 'gateway'],
};

const OWNER = 'owner';
const DAY_SECONDS = 86_400;

/** Starts these peers on one mongod and one nats-server. */
export async function startPeers(names: readonly string[], { folder, stops }: Bench): Promise<Contender[]> {
  if (names.length === 0) return [];
  const file = (name: string) => join(folder, name);
  const issuer = new TestIssuer();
  await issuer.start();
  stops.defer(() => issuer.stop());
  const mongod = await startMongod({ dataDir: file('mongod'), logFile: file('mongod.log') });
  stops.defer(() => mongod.stop());
  const files = { configFile: file('nats.conf'), logFile: file('nats.log') };
  const nats = await startNatsServer({ config: '', ...files });
  stops.defer(() => nats.stop());
  const mongo = await MongoClient.connect(mongod.url);
  stops.defer(() => mongo.close());

  const start = async (name: string): Promise<Contender> => {
    const roles = peers[name]!;
    const database = await openDatabase(mongod.url, name);
    stops.defer(() => database.close());
    const servers = { NATS_URL: nats.url, MONGODB_URL: mongod.url, MONGODB_DATABASE: name };
    const environment = { ...servers, ...issuer.environment };
    const path = fileURLToPath(new URL(`peers/${name}.ts`, import.meta.url));
    const port = await freePort();
    const processes: RunningProgram[] = [];
    for (const [index, role] of roles.entries()) {
      const about = { title: `${name} ${role}`, args: [path, role], logFile: file(`${name}-${role}.log`) };
      const isSilent = index < roles.length - 1;
      processes.push(await startProgram({ ...about, environment, port, isSilent }, stops));
    }
    const own = roles.map((role, index) => [role, processes[index]!.pid] as const);
    const origin = processes.at(-1)!.url;
    return {
      name,
      origin,
      mongo,
      pids: new Map([['mongod', mongod.pid], ['nats-server', nats.pid], ...own]),
      failed: Promise.race(processes.map(({ failed }) => failed)),
      isPlatform: false,
      workspace: async () => {
        const workspace = await database.createWorkspace(OWNER);
        const exp = Math.floor(Date.now() / 1000) + DAY_SECONDS;
        const token = await issuer.token({ workspaceId: workspace, userId: OWNER }, { exp });
        return new Api(origin, { workspace, user: OWNER, token });
      },
    };
  };
  const contenders: Contender[] = [];
  for (const name of names) contenders.push(await start(name));
  return contenders;
}
