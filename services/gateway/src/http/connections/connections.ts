import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Limits } from '@action-platform/contracts/limits';
import { ConnectionTable, type TableLimits } from './connection-table.ts';
import { probeOnceHalfClosed } from './half-close.ts';
import { refuse, refuseInput } from './malformed.ts';

/** How long an idle connection stays open: longer than at load balancers, so that they never send on a closed one. */
export const KEEP_ALIVE_MS = 65_000;
/** How long a closing connection waits for a request to arrive or for its caller to close too, in milliseconds. */
const CLOSE_GRACE_MS = 500;
/** The server is quiet once nothing arrived for so long: callers that reconnect after an answer have done so, in milliseconds. */
const QUIET_MS = 150;
const QUIET_CHECK_MS = 5;

interface Connection {
  /** The response under way, or the last one. */
  response: ServerResponse | undefined;
  /** `bytesRead` of the socket when the connection became idle; undefined while a request is under way. */
  idleSince: number | undefined;
  /** Begin the pipelined requests that wait (RFC 9112, section 9.3.2). */
  readonly waiting: (() => void)[];
  /** Whether further requests on it are ignored. */
  hasEnded: boolean;
}

export type ConnectionLimits = TableLimits & Pick<Limits, 'GATEWAY_MAX_PIPELINED'>;

/** Serves the connections of a server: one request at a time on each. */
export class Connections {
  readonly #server: Server;
  readonly #handler: RequestListener;
  readonly #maxPipelined: number;
  readonly #connections = new Map<Socket, Connection>();
  readonly #table: ConnectionTable;
  #isDraining = false;
  #isHolding = false;
  #isClosing = false;
  #inFlight = 0;
  /** When a connection, a request or the end of an answer was last seen, in milliseconds of `performance.now()`. */
  #lastActivity = 0;

  /**
   * @param limits of connections, enforced by eviction, and of pipelined requests: a connection with more is closed, as each
   *   takes memory.
   * @param handler receives every request that can still be answered.
   */
  constructor(server: Server, limits: ConnectionLimits, handler: RequestListener) {
    this.#server = server;
    this.#handler = handler;
    this.#maxPipelined = limits.GATEWAY_MAX_PIPELINED;
    this.#table = new ConnectionTable(limits);
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, this.#receive);
    server.on('connection', this.#accept);
  }

  readonly #accept = (socket: Socket): void => {
    this.#lastActivity = performance.now();
    const connection: Connection = { response: undefined, idleSince: 0, waiting: [], hasEnded: false };
    this.#connections.set(socket, connection);
    this.#table.add(socket);
    probeOnceHalfClosed(socket, () => connection.response);
    socket.once('close', () => this.#connections.delete(socket));
  };

  readonly #receive: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    // Node.js emits every request of one chunk, also after the connection was closed.
    if (connection === undefined || connection.hasEnded) return;
    this.#lastActivity = performance.now();
    const begin = () => this.#begin(connection, request, response);
    const isFree = connection.response === undefined || connection.response.closed;
    if (!isFree || this.#isHolding) {
      if (connection.waiting.push(begin) <= this.#maxPipelined) return;
      connection.hasEnded = true;
      socket.destroy();
    } else if (wasShed(connection) && socket.bytesRead === connection.idleSince) {
      // The request arrived in one chunk with the request before.
      this.#abandon(socket, connection);
    } else {
      begin();
    }
  };

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // The request follows the last answer on its connection.
    if (!socket.writable) return;
    connection.response = response;
    connection.idleSince = undefined;
    this.#inFlight++;
    this.#table.markBusy(socket);
    response.once('close', () => this.#end(socket, connection));
    // The parser of Node.js drops what follows a request with `Upgrade` in the same chunk, though nothing is upgraded.
    if (this.#isDraining || request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    if (this.#isClosing) socket.setTimeout(0);
    this.#handler(request, response);
  }

  /** Ends a request, and begins the next one on its connection. */
  #end(socket: Socket, connection: Connection): void {
    this.#table.markIdle(socket);
    this.#inFlight--;
    this.#lastActivity = performance.now();
    connection.idleSince = socket.bytesRead;
    if (this.#isHolding) return;
    if (wasShed(connection) && connection.waiting.length > 0) {
      this.#abandon(socket, connection);
      return;
    }
    connection.waiting.shift()?.();
    if (this.#isClosing && connection.idleSince !== undefined) closeIdle(socket, connection.idleSince);
  }

  /** Drops the requests pipelined behind a 503, as dozens of equal answers would keep the gateway busy, and late ones. */
  #abandon(socket: Socket, connection: Connection): void {
    connection.hasEnded = true;
    connection.waiting.length = 0;
    socket.end();
    void setTimeout(CLOSE_GRACE_MS, undefined, { ref: false }).then(() => socket.destroy());
  }

  /** Handles malformed and late requests. */
  refuse(socket: Socket, isLate: boolean): void {
    const connection = this.#connections.get(socket);
    const response = connection?.response;
    // A connection opened in advance is not late before its first byte.
    if (isLate && socket.bytesRead === 0) socket.setTimeout(KEEP_ALIVE_MS);
    else if (isLate && response?.headersSent && response.req.complete && !response.closed) {
      // The late request follows an answer under way, which is delivered whole.
      connection!.hasEnded = true;
      connection!.waiting.length = 0;
      response.once('close', () => this.#abandon(socket, connection!));
    } else refuseInput(socket, response, isLate);
  }

  /** Refuses CONNECT. Node.js reads no more from the connection, and leaves its errors to the receiver of the event. */
  refuseTunnel(socket: Socket, requestId: string): void {
    // An error without a listener would end the process; `close` follows the error.
    socket.on('error', () => {});
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    const { response, waiting } = connection;
    const isUnderWay = response !== undefined && !response.closed;
    if (!isUnderWay && waiting.length === 0) {
      refuse(socket, 'CONNECT is not served here.', requestId);
      return;
    }
    // CONNECT follows other requests. The request under way keeps its answer; the others are unanswered.
    connection.hasEnded = true;
    waiting.length = 0;
    if (!isUnderWay) {
      socket.destroySoon();
      return;
    }
    if (!response.headersSent) response.setHeader('Connection', 'close');
    // Node.js no longer tells the response that the socket takes more, nor reads that the client left.
    socket.on('drain', () => response.emit('drain')).resume();
    response.once('close', () => socket.destroySoon());
  }

  /**
   * From now on each answer is the last on its connection (RFC 9112, section 9.6), those under way included. Callers send
   * their next request elsewhere, so that none is on its way when the connections close.
   */
  drain(): void {
    this.#isDraining = true;
    for (const { response } of this.#connections.values()) {
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
    }
  }

  /**
   * Holds new requests back and resolves once no more arrive, so that closing the connections cuts no caller off. `quiesce` waits only a
   * moment for callers that keep sending.
   */
  async quiesce(): Promise<void> {
    this.drain();
    this.#isHolding = true;
    const end = performance.now() + CLOSE_GRACE_MS;
    const isQuiet = () => this.#inFlight === 0 && performance.now() - this.#lastActivity > QUIET_MS;
    while (!isQuiet() && performance.now() < end) await setTimeout(QUIET_CHECK_MS);
  }

  /** Answers the requests that are held back, and closes each connection with its last answer; idle ones at once. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // `close` of the HTTP server would also destroy connections whose answers are still being delivered.
    NetServer.prototype.close.call(this.#server, () => resolve());
    this.#isHolding = false;
    this.#isClosing = true;
    for (const [socket, connection] of this.#connections) {
      if (connection.idleSince !== undefined) connection.waiting.shift()?.();
      if (connection.idleSince !== undefined) closeIdle(socket, connection.idleSince);
    }
    await promise;
    // No connection is left to destroy; `close` ends the server's own checks of connections.
    this.#server.close();
  }
}

/** Closes an idle connection without a reset, also when a request crosses the end on its way. */
function closeIdle(socket: Socket, idleSince: number): void {
  const hasBegun = socket.bytesRead > idleSince;
  if (!hasBegun) socket.end();
  socket.setTimeout(CLOSE_GRACE_MS);
}

/** Whether the last answer on a connection was 503. */
function wasShed({ response }: Connection): boolean {
  return response?.statusCode === 503;
}
