/** Sends hard requests, a process of its own. */
import { serveJobs } from '../../environment/worker.ts';
import { sharedNow } from '../measure/loop-report.ts';
import { hardRequests } from '../requests/all.ts';
import type { HardRequest } from '../requests/hard-request.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Flood, FloodedRequest } from './flood.ts';

serveJobs(async (flood: Flood): Promise<readonly FloodedRequest[]> => {
  const requests = hardRequests(flood.surroundings).map((request) => ({
    ...request,
    body: Buffer.from(request.body),
  }));
  const lots = requests.flatMap((request) => Array<(typeof requests)[number]>(request.weight).fill(request));
  const isMixed = 'mixed' in flood;
  const plan = isMixed
    ? Array.from({ length: flood.mixed }, () => lots[Math.floor(Math.random() * lots.length)]!)
    : requests.flatMap((request) => Array<(typeof requests)[number]>(flood.repeats).fill(request));
  const clients = isMixed ? flood.clients : 1;
  const pool = new ConnectionPool(flood.origin, clients, 'warm');
  const headers = flood.tokens.map((token) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  }));
  const log: FloodedRequest[] = [];
  let next = 0;
  const client = async () => {
    for (let index = next++; index < plan.length; index = next++) {
      log.push(await send(pool, headers[index % headers.length]!, plan[index]!));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await pool.close();
  return log;
});

function send(
  pool: ConnectionPool,
  headers: Readonly<Record<string, string>>,
  { label, method, path, body }: Omit<HardRequest, 'body'> & { readonly body: Uint8Array },
): Promise<FloodedRequest> {
  const { promise, resolve } = Promise.withResolvers<FloodedRequest>();
  const from = sharedNow();
  const ended = (outcome: string) => resolve({ label, from, to: sharedNow(), outcome });
  pool.send({ weight: 1, method, path, bodies: [] }, headers, body, {
    onSent: () => {},
    onAnswer: (status) => ended(String(status)),
    onFailure: ended,
  });
  return promise;
}
