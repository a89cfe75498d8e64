import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '@action-platform/contracts';
import { errorAnswer } from '../dispatch/answer.ts';
import { MalformedRequest } from '../dispatch/exchange.ts';
import { breakOff } from './body.ts';
import { Crowd } from './crowd.ts';
import { createRequestId } from './exchange.ts';

/** How long an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
export const KEEP_ALIVE_MS = 65_000;
/** How long the head of a request may still take to arrive when the server closes, in milliseconds. */
const CLOSE_GRACE_MS = 500;

/** A connection. */
interface Connection {
  /** The response that is under way, or was the last. */
  response: ServerResponse | undefined;
  /** Begin the requests that came behind it (RFC 9112, section 9.3.2). */
  readonly behind: (() => void)[];
}

/** The bounds of connections. */
export type ConnectionLimits = Pick<Limits, 'GATEWAY_MAX_CONNECTIONS' | 'GATEWAY_MAX_PIPELINED'>;

/** The connections of a server. On each, one request is under way at a time. */
export class Connections {
  readonly #server: Server;
  readonly #handler: RequestListener;
  readonly #mostBehind: number;
  readonly #connections = new Map<Socket, Connection>();
  readonly #crowd = new Crowd();
  #closing = false;

  /**
   * @param limits how many there may be: when there are more, one is closed, as `Crowd` chooses; and how many requests may
   *   be sent ahead on one: each is kept in memory, so who sends more is not served any further.
   * @param handler is given every request that can still be answered.
   */
  constructor(server: Server, limits: ConnectionLimits, handler: RequestListener) {
    this.#server = server;
    this.#handler = handler;
    this.#mostBehind = limits.GATEWAY_MAX_PIPELINED;
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, this.#take);
    server.on('connection', (socket) => {
      this.#connections.set(socket, { response: undefined, behind: [] });
      this.#crowd.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      if (this.#crowd.size > limits.GATEWAY_MAX_CONNECTIONS) this.#crowd.closeOne();
    });
  }

  readonly #take: RequestListener = (request, response) => {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    const begin = () => this.#begin(connection, request, response);
    if (connection.response === undefined || connection.response.closed) begin();
    else if (connection.behind.push(begin) > this.#mostBehind) request.socket.destroy();
  };

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // What follows an answer that was the last on its connection is not begun.
    if (!socket.writable) return;
    connection.response = response;
    this.#crowd.work(socket);
    response.once('close', () => {
      this.#crowd.rest(socket);
      connection.behind.shift()?.();
    });
    if (this.#closing) {
      socket.setTimeout(0);
      response.setHeader('Connection', 'close');
    }
    this.#handler(request, response);
  }

  /** What a connection brings cannot be read as HTTP, or is late. */
  broken(socket: Socket, isLate: boolean): void {
    const response = this.#connections.get(socket)?.response;
    if (isLate && socket.bytesRead === 0) {
      // Nothing is late before its first byte: the connection was opened to be ready.
      socket.setTimeout(KEEP_ALIVE_MS);
    } else if (response === undefined || (response.writableFinished && response.req.complete)) {
      refuse(
        socket,
        isLate ? 'The request took too long to arrive.' : 'The request is not well-formed HTTP.',
      );
    } else if (response.writableFinished || (response.headersSent && response.req.complete)) {
      socket.destroy();
    } else if (response.req.complete) {
      // What is broken came after the request that is being answered.
      response.setHeader('Connection', 'close');
    } else {
      breakOff(response.req, isLate);
    }
  }

  /** Ends every connection with the answer that is under way on it, instead of waiting for another request. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closing = true;
    this.#server.close(() => resolve());
    for (const [socket, { response }] of this.#connections) {
      if (response === undefined || response.writableFinished) {
        // Node leaves alone what has not brought a whole head yet.
        if (socket.bytesRead === 0) socket.destroy();
        else socket.setTimeout(CLOSE_GRACE_MS);
      } else {
        if (!response.headersSent) response.setHeader('Connection', 'close');
        response.once('close', () => this.#server.closeIdleConnections());
      }
    }
    await promise;
  }
}

/** Answers with the error envelope where there is no request to answer, and closes the connection. */
export function refuse(socket: Socket, message: string): void {
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
