import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { untilAnswering } from '../../environment/until-answering.ts';
import { Api } from '../api.ts';
import type { Contender, Environment } from '../contender.ts';
import { openDatabase } from './database.ts';
import { memberId } from './members.ts';

const WORKSPACE = 'ws_bench';
const OWNER = 'bench-owner';

/** Starts the processes of a peer, each named by the argument of its script, with a Workspace and its Owner in the database. */
export async function startSameWork(
  name: string,
  roles: readonly string[],
  { processes, servers, issuer }: Environment,
): Promise<Contender> {
  await createWorkspace(servers.mongod.url, name);
  const port = await freePort();
  const started = [];
  for (const role of roles) {
    started.push(
      await processes.start({
        name: role,
        contender: name,
        args: [fileURLToPath(new URL(`../peers/${name}.ts`, import.meta.url)), role],
        environment: {
          PORT: String(port),
          NATS_URL: servers.nats.url,
          MONGODB_URL: servers.mongod.url,
          MONGODB_DATABASE: name,
          SESSION_ISSUER: issuer.issuer,
          SESSION_AUDIENCE: issuer.audience,
          SESSION_JWKS_URL: issuer.jwksUrl,
        },
      }),
    );
  }
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswering(`${origin}/readyz`, started);
  const token = await issuer.tokenFor(WORKSPACE, OWNER);
  return {
    name,
    processes: started,
    target: { driver: 'http', origin, token },
    prepare: async (scenario) =>
      scenario.platformOnly ? undefined : await scenario.prepare(new Api(origin, token)),
  };
}

async function createWorkspace(url: string, name: string): Promise<void> {
  const database = await openDatabase(url, name);
  await database.members.insertOne({ _id: memberId(WORKSPACE, OWNER), role: 'owner' });
  await database.usage.insertOne({ _id: WORKSPACE, stored_bytes: 0 });
  await database.close();
}
