import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { errorAnswer } from '../dispatch/answer.ts';
import { MalformedRequest } from '../dispatch/exchange.ts';
import { breakOff } from './body.ts';
import { createRequestId } from './exchange.ts';

/** How long an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** How often requests are looked for that take too long to arrive, in milliseconds. */
const CHECK_INTERVAL_MS = 100;

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
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves HTTP/1.1 at an address. Whatever Node.js would answer by itself, with no body or one of its own, comes to the
 * handler or is answered here, so that every failure is the error envelope.
 */
export async function listen(handler: Handler, config: ListenConfig): Promise<Listening> {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    // From the first byte of a request, its body included.
    headersTimeout: config.REQUEST_DEADLINE_MS,
    requestTimeout: config.REQUEST_DEADLINE_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    requireHostHeader: false,
  });
  const connections = new Connections(server);
  const take: Handler = (request, response) => {
    // What follows an answer that was the last on its connection is not begun.
    if (!request.socket.writable) return;
    connections.answering(request.socket, response);
    handler(request, response);
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, take);
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

/** The connections of a server, each with the response that is under way on it. */
class Connections {
  readonly #server: Server;
  readonly #responses = new Map<Socket, ServerResponse | undefined>();
  #closing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#responses.set(socket, undefined);
      socket.once('close', () => this.#responses.delete(socket));
    });
  }

  answering(socket: Socket, response: ServerResponse): void {
    this.#responses.set(socket, response);
    if (this.#closing) response.setHeader('Connection', 'close');
  }

  /** What a connection brings cannot be read as HTTP, or is late. */
  broken(socket: Socket, isLate: boolean): void {
    const response = this.#responses.get(socket);
    if (response === undefined || response.writableFinished) {
      refuse(
        socket,
        isLate ? 'The request took too long to arrive.' : 'The request is not well-formed HTTP.',
      );
    } else if (!response.req.complete) {
      breakOff(response.req, isLate);
    } else if (response.headersSent) {
      socket.destroy();
    } else {
      // The request is whole: what is broken came after it.
      response.setHeader('Connection', 'close');
    }
  }

  /** Ends every connection with the answer that is under way on it, instead of waiting for another request. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = true;
    this.#server.close(() => resolve());
    for (const response of this.#responses.values()) {
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
      response?.once('close', () => this.#server.closeIdleConnections());
    }
    await promise;
  }
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

/** Answers with the error envelope where there is no request to answer, and closes the connection. */
function refuse(socket: Socket, message: string): void {
  if (!socket.writable) return;
  const requestId = createRequestId();
  const { status, headers, body } = errorAnswer(new MalformedRequest(message), requestId, 'http');
  const lines = Object.entries({
    ...headers,
    'Content-Length': body.length,
    'x-request-id': requestId,
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Bad Request\r\n${lines.join('')}\r\n`);
  socket.write(body);
  socket.destroySoon();
}
