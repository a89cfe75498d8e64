import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { untilAnswering } from '../../environment/until-answering.ts';
import type { RequestTemplate, Target } from '../../load/load.ts';
import { samplePayload } from '../../scenarios/sample-data.ts';
import type { Contender, Environment } from '../contender.ts';

/** The least that the parts of a push can cost. */
const REQUESTS: readonly RequestTemplate[] = [
  {
    weight: 1,
    method: 'POST',
    path: '/',
    bodies: [JSON.stringify({ collection_id: 'col', payload: samplePayload() })],
  },
];

const scriptAt = (file: string) => fileURLToPath(new URL(file, import.meta.url));

function floor(name: string, processes: Contender['processes'], target: Target): Contender {
  return { name, processes, target, prepare: async ({ name }) => (name === 'push' ? REQUESTS : undefined) };
}

/** node:http, which answers with the body of the request. */
export async function startHttpEcho({ processes }: Environment): Promise<Contender> {
  const port = await freePort();
  const echo = await processes.start({
    name: 'http-echo',
    contender: 'floor',
    args: [scriptAt('http-echo.ts')],
    environment: { PORT: String(port) },
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilAnswering(origin, [echo]);
  return floor('floor: node:http', [echo], { driver: 'http', origin });
}

/** One request and reply over NATS; a call of the platform takes two. */
export async function startNatsEcho({ processes, servers }: Environment): Promise<Contender> {
  const { url } = servers.nats;
  const echo = await processes.start({
    name: 'nats-echo',
    contender: 'floor',
    args: [scriptAt('nats-echo.ts')],
    environment: { NATS_URL: url },
  });
  return floor('floor: NATS', [echo], { driver: 'nats', url, subject: 'bench.echo' });
}

/** One insert for each call. */
export async function startInserts({ servers }: Environment): Promise<Contender> {
  return floor('floor: insert', [], {
    driver: 'mongod',
    url: servers.mongod.url,
    database: 'floor-insert',
    grouped: false,
  });
}

/** Waiting inserts go out as one `insertMany`. */
export async function startGroupCommit({ servers }: Environment): Promise<Contender> {
  return floor('floor: group commit', [], {
    driver: 'mongod',
    url: servers.mongod.url,
    database: 'floor-group',
    grouped: true,
  });
}
