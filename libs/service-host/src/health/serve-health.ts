import { createServer, type ServerResponse } from 'node:http';
import { bind } from './bind.ts';
import type { Readiness } from './readiness.ts';

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
 * It answers from before the start until after the stop. Returns what ends it.
 */
export async function serveHealth(
  readiness: Readiness,
  { HEALTH_HOST: host, HEALTH_PORT: port }: HealthConfig,
): Promise<() => void> {
  if (port === undefined) return () => {};
  const server = createServer({ keepAlive: false }, async (request, response) => {
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
  await bind(server, { host, port, variable: 'HEALTH_PORT' });
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
