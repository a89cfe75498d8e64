import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Connections, KEEP_ALIVE_MS, refuse } from './connections.ts';
import { closeStalledAnswers } from './stalled-answers.ts';

/** How often requests are looked for that take too long to arrive, in milliseconds. */
const CHECK_INTERVAL_MS = 100;

/**
 * How many connections may wait to be taken. The kernel drops what is more, and whoever is dropped tries again after 1, 3, 7
 * and 15 seconds; it allows no more than `net.core.somaxconn`, 4096 on Linux.
 */
const BACKLOG = 4_096;

/** A server that takes requests. */
export interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Stops accepting requests and resolves when those under way are answered. */
  close(): Promise<void>;
}

interface ListenConfig {
  readonly HOST: string;
  readonly PORT: number;
  readonly REQUEST_DEADLINE_MS: number;
  readonly ANSWER_STALL_MS: number;
  readonly GATEWAY_MAX_CONNECTIONS: number;
}

/**
 * Serves HTTP/1.1 at an address. Whatever Node.js would answer by itself, with no body or one of its own, comes to the
 * handler or is answered here, so that every failure is the error envelope.
 */
export async function listen(handler: RequestListener, config: ListenConfig): Promise<Listening> {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    // From the first byte of a request, its body included.
    headersTimeout: config.REQUEST_DEADLINE_MS,
    requestTimeout: config.REQUEST_DEADLINE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    requireHostHeader: false,
  });
  const connections = new Connections(server, config.GATEWAY_MAX_CONNECTIONS, handler);
  closeStalledAnswers(server, config.ANSWER_STALL_MS);
  server.on('connect', (_request, socket) => refuse(socket as Socket, 'CONNECT is not served here.'));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.broken(socket as Socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT'),
  );
  await bind(server, config.HOST, config.PORT);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => connections.close(),
  };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    reject(
      isTaken
        ? new Error(`port ${port} of ${host} is in use: stop what uses it, or set PORT to another`)
        : error,
    );
  });
  server.listen({ port, host, backlog: BACKLOG }, resolve);
  await promise;
}
