import { createServer, type ServerResponse } from 'node:http';
import { bind } from './bind.ts';
import type { Readiness } from './readiness.ts';

/** How long a request may take to arrive, its connection included, in milliseconds, and how often that is checked. */
const ARRIVE_WITHIN_MS = 5_000;
const CHECKED_EVERY_MS = 1_000;
/** The most connections at once: far more than probes make. */
const CONNECTIONS = 256;

interface HealthConfig {
  readonly HEALTH_HOST: string;
  readonly HEALTH_PORT?: number | undefined;
}

/**
 * Answers liveness and readiness probes on HEALTH_PORT, when it is set:
 *
 * - `GET /livez`: 200 as long as the process runs;
 * - `GET /readyz`: 200 when it is to be sent work, else 503; `missing` names what it does not have, in both.
 *
 * The server answers from before the start until after the stop. Returns what ends it.
 */
export async function serveHealth(
  readiness: Readiness,
  { HEALTH_HOST: host, HEALTH_PORT: port }: HealthConfig,
): Promise<() => void> {
  if (port === undefined) return () => {};
  const times = {
    headersTimeout: ARRIVE_WITHIN_MS,
    requestTimeout: ARRIVE_WITHIN_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  };
  const server = createServer({ keepAlive: false, ...times }, async (request, response) => {
    // A connection that is kept would keep the process from ending.
    response.setHeader('Connection', 'close');
    if (request.url === '/livez') {
      answer(response, 200, { status: 'ok' });
    } else if (request.url === '/readyz') {
      const { isReady, ...report } = await readiness.report();
      answer(response, isReady ? 200 : 503, report);
    } else {
      answer(response, 404, { status: 'there is /livez and /readyz' });
    }
  });
  server.maxConnections = CONNECTIONS;
  await bind(server, { host, port, variable: 'HEALTH_PORT' });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
