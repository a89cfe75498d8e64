import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { bind } from '@action-platform/service-host';
import type { GatewayConfig } from '../config.ts';
import { idsOf } from './begin-exchange.ts';
import { type ConnectionLimits, Connections, KEEP_ALIVE_MS } from './connections/connections.ts';
import { allowHalfClose } from './connections/half-close.ts';
import { closeStalledAnswers } from './connections/stalled-answers.ts';

/** How often the server looks for requests that take too long to arrive, in milliseconds. */
const CHECK_INTERVAL_MS = 100;

/**
 * How many connections may wait to be accepted. The kernel drops further ones, whose clients try again after 1, 3 and 7 seconds; it
 * allows no more than `net.core.somaxconn`, 4096 on Linux.
 */
const BACKLOG = 4_096;

/** A server that takes requests. */
export interface Listening {
  /** The base address: `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Makes each answer from now on the last on its connection; the server still accepts connections. */
  drain(): void;
  /** Stops accepting requests and resolves when those under way are answered. */
  close(): Promise<void>;
}

type ListenConfig = ConnectionLimits &
  Pick<GatewayConfig, 'HOST' | 'PORT' | 'REQUEST_DEADLINE_MS' | 'ANSWER_STALL_MS'>;

/**
 * Serves HTTP/1.1 at an address. Every failure is the error envelope, also where Node.js would write an answer of its own.
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
  allowHalfClose(server);
  const connections = new Connections(server, config, handler);
  closeStalledAnswers(server, config.ANSWER_STALL_MS);
  server.on('connect', (request, socket) =>
    connections.refuseTunnel(socket as Socket, idsOf(request).requestId),
  );
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    connections.refuse(socket as Socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT'),
  );
  await bind(server, { host: config.HOST, port: config.PORT, backlog: BACKLOG, variable: 'PORT' });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    drain: () => connections.drain(),
    close: async () => {
      await connections.quiesce();
      await connections.close();
    },
  };
}
