import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorAnswer } from '../dispatch/answer.ts';
import { MalformedRequest } from '../dispatch/exchange.ts';
import { breakOff } from './body.ts';
import { createRequestId } from './exchange.ts';

/** How long an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
export const KEEP_ALIVE_MS = 65_000;
/** How long the head of a request may still take to arrive when the server closes, in milliseconds. */
const CLOSE_GRACE_MS = 500;

/** The connections of a server, each with the response that is under way on it. */
export class Connections {
  readonly #server: Server;
  readonly #most: number;
  readonly #responses = new Map<Socket, ServerResponse | undefined>();
  /** Those on which nothing is under way, the one for longest first. */
  readonly #idle = new Set<Socket>();
  #closing = false;

  /**
   * @param most how many there may be: when there are more, the one is closed on which nothing has been under way for
   *   longest. So whoever opens very many closes their own, and not those that are used.
   * @param handler is given every request that can still be answered.
   */
  constructor(server: Server, most: number, handler: RequestListener) {
    this.#server = server;
    this.#most = most;
    const take: RequestListener = (request, response) => {
      const { socket } = request;
      // What follows an answer that was the last on its connection is not begun.
      if (!socket.writable) return;
      this.#responses.set(socket, response);
      this.#idle.delete(socket);
      response.once('close', () => {
        if (this.#responses.get(socket) === response) this.#rest(socket);
      });
      if (this.#closing) {
        socket.setTimeout(0);
        response.setHeader('Connection', 'close');
      }
      handler(request, response);
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, take);
    server.on('connection', (socket) => {
      this.#responses.set(socket, undefined);
      this.#rest(socket);
      socket.once('close', () => {
        this.#responses.delete(socket);
        this.#idle.delete(socket);
      });
      if (this.#responses.size > this.#most) this.#idle.values().next().value?.destroy();
    });
  }

  /** Nothing is under way on a connection any more. */
  #rest(socket: Socket): void {
    if (!socket.destroyed) this.#idle.add(socket);
  }

  /** What a connection brings cannot be read as HTTP, or is late. */
  broken(socket: Socket, isLate: boolean): void {
    const response = this.#responses.get(socket);
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
    for (const [socket, response] of this.#responses) {
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
