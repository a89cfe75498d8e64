import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionLimits, Connections, KEEP_ALIVE_MS, refuse } from './connections.ts';
import { requestIdOf } from './exchange.ts';
import { listenAt } from './listeners.ts';
import { closeStalledAnswers } from './stalled-answers.ts';

/** How often requests are looked for that take too long to arrive, in milliseconds. */
const CHECK_INTERVAL_MS = 100;

/** A server that takes requests. */
export interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** From now on each answer is the last on its connection; further connections are still accepted. */
  leave(): void;
  /** Stops accepting requests and resolves when those under way are answered. */
  close(): Promise<void>;
}

interface ListenConfig extends ConnectionLimits {
  readonly HOST: string;
  readonly PORT: number;
  readonly REQUEST_DEADLINE_MS: number;
  readonly ANSWER_STALL_MS: number;
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
  const connections = new Connections(server, config, handler);
  closeStalledAnswers(server, config.ANSWER_STALL_MS);
  server.on('connect', (request, socket) =>
    refuse(socket as Socket, 'CONNECT is not served here.', requestIdOf(request)),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.broken(socket as Socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT'),
  );
  const listeners = await listenAt(server, config.HOST, config.PORT, () => connections.room);
  const { address, port, family } = listeners.address;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    leave: () => connections.leave(),
    close: async () => {
      await connections.hold();
      await listeners.takeRest();
      await Promise.all([listeners.close(), connections.close()]);
    },
  };
}
