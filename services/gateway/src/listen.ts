import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ActionError } from '@action-platform/contracts';
import { createRequestId } from './http/request-id.ts';

/** How long an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** How long a client may take to send a whole request. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A server that takes requests. */
export interface Listening {
  /** Such as `http://127.0.0.1:8080`. */
  readonly address: string;
  /** Stops accepting requests and resolves when those under way are answered. */
  close(): Promise<void>;
}

/** Serves HTTP/1.1 at an address. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { HOST, PORT }: { HOST: string; PORT: number },
): Promise<Listening> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
    },
    handler,
  );
  server.on('clientError', (_error, socket) => refuse(socket as Socket));
  await bind(server, HOST, PORT);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: () => closeServer(server),
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
  server.listen(port, host, resolve);
  await promise;
}

async function closeServer(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Connections on which a request is under way end with its answer, instead of waiting for another one.
  server.on('request', (_request, response) => response.setHeader('Connection', 'close'));
  server.close(() => resolve());
  await promise;
}

/** Answers what is not HTTP, or came too slowly, with the error envelope as well. */
function refuse(socket: Socket): void {
  if (!socket.writable) return;
  const requestId = createRequestId();
  const error = new ActionError('invalid_request', {
    message: 'The request is not well-formed HTTP, or took too long.',
  });
  const body = JSON.stringify(error.toEnvelope(requestId));
  socket.end(
    [
      `HTTP/1.1 ${error.status} Bad Request`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
