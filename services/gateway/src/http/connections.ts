import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Limits } from '@action-platform/contracts';
import { errorAnswer } from '../dispatch/answer.ts';
import { MalformedRequest } from '../dispatch/exchange.ts';
import { breakOff } from './body.ts';
import { Crowd } from './crowd.ts';
import type { Room } from './entrance.ts';
import { createRequestId } from './exchange.ts';

/** How long an idle connection is kept: longer than load balancers do, so that they never meet a closed one. */
export const KEEP_ALIVE_MS = 65_000;
/** How long, when a connection is closed, a request may still take to arrive, or a caller to notice the end, in milliseconds. */
const CLOSE_GRACE_MS = 500;
/** When nothing has come for so long, callers that come back as soon as they are answered have come back, in milliseconds. */
const QUIET_MS = 50;
/** How often is looked whether it is quiet, in milliseconds. */
const LOOK_MS = 5;

/** A connection. */
interface Connection {
  /** The response that is under way, or was the last. */
  response: ServerResponse | undefined;
  /** How many bytes it had brought when nothing was under way on it any more; undefined while something is. */
  idleSince: number | undefined;
  /** Begin the requests that came behind it (RFC 9112, section 9.3.2). */
  readonly behind: (() => void)[];
  /** Whether what it brings is not looked at any more. */
  isOver: boolean;
}

/** The bounds of connections. */
export type ConnectionLimits = Pick<
  Limits,
  'GATEWAY_MAX_CONNECTIONS' | 'GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS' | 'GATEWAY_MAX_PIPELINED'
>;

/** The connections of a server. On each, one request is under way at a time. */
export class Connections {
  readonly #server: Server;
  readonly #handler: RequestListener;
  readonly #mostBehind: number;
  readonly #mostStrangers: number;
  readonly #connections = new Map<Socket, Connection>();
  readonly #crowd = new Crowd();
  #isLeaving = false;
  #isHolding = false;
  #isClosing = false;
  #underWay = 0;
  /** When last a connection, a request or an answer came, by the process's clock. */
  #lastHeardOf = 0;

  /**
   * @param limits how many there may be: when there are more, one is closed, as `Crowd` chooses. And how many requests may
   *   be sent ahead on one: each is kept in memory, so who sends more is not served any further.
   * @param handler is given every request that can still be answered.
   */
  constructor(server: Server, limits: ConnectionLimits, handler: RequestListener) {
    this.#server = server;
    this.#handler = handler;
    this.#mostBehind = limits.GATEWAY_MAX_PIPELINED;
    this.#mostStrangers = limits.GATEWAY_MAX_UNAUTHENTICATED_CONNECTIONS;
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, this.#take);
    server.on('connection', (socket) => {
      this.#lastHeardOf = performance.now();
      this.#connections.set(socket, { response: undefined, idleSince: 0, behind: [], isOver: false });
      this.#crowd.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      spareStacks(socket);
      if (this.#crowd.strangers > this.#mostStrangers) this.#crowd.closeStranger();
      else if (this.#crowd.size > limits.GATEWAY_MAX_CONNECTIONS) this.#crowd.closeOne();
    });
  }

  /** How many may come in: none while all are there of callers not known yet that may be, and each has only just come. */
  get room(): Room {
    const { strangers } = this.#crowd;
    if (strangers <= this.#mostStrangers / 2) return 'many';
    return strangers < this.#mostStrangers || this.#crowd.isStrangerLate ? 'few' : 'none';
  }

  readonly #take: RequestListener = (request, response) => {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    // Of what came in one piece Node.js hands out everything, whatever becomes of the connection meanwhile.
    if (connection === undefined || connection.isOver) return;
    this.#lastHeardOf = performance.now();
    const begin = () => this.#begin(connection, request, response);
    const isFree = connection.response === undefined || connection.response.closed;
    if (!isFree || this.#isHolding) {
      if (connection.behind.push(begin) <= this.#mostBehind) return;
      connection.isOver = true;
      socket.destroy();
    } else if (wasTurnedAway(connection) && socket.bytesRead === connection.idleSince) {
      // It came together with the one before.
      this.#leaveOut(socket, connection);
    } else {
      begin();
    }
  };

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // What follows an answer that was the last on its connection is not begun.
    if (!socket.writable) return;
    connection.response = response;
    connection.idleSince = undefined;
    this.#underWay++;
    this.#crowd.work(socket);
    response.once('close', () => this.#rest(socket, connection));
    if (this.#isLeaving) response.setHeader('Connection', 'close');
    if (this.#isClosing) socket.setTimeout(0);
    this.#handler(request, response);
  }

  /** A request is answered: the next is begun, if there is one. */
  #rest(socket: Socket, connection: Connection): void {
    this.#crowd.rest(socket);
    this.#underWay--;
    this.#lastHeardOf = performance.now();
    connection.idleSince = socket.bytesRead;
    if (this.#isHolding) return;
    if (wasTurnedAway(connection) && connection.behind.length > 0) {
      this.#leaveOut(socket, connection);
      return;
    }
    connection.behind.shift()?.();
    if (this.#isClosing && connection.idleSince !== undefined) this.#end(socket, connection.idleSince);
  }

  /**
   * Who was told to come again later is not answered on what they had sent behind, and their connection ends. It would be the same
   * answer, and for callers who send dozens ahead the gateway would do hardly anything else.
   */
  #leaveOut(socket: Socket, connection: Connection): void {
    connection.isOver = true;
    connection.behind.length = 0;
    socket.end();
    void setTimeout(CLOSE_GRACE_MS, undefined, { ref: false }).then(() => socket.destroy());
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

  /**
   * From now on each answer says that it is the last on its connection (RFC 9112, section 9.6), those under way too. So
   * callers go elsewhere for their next request, and none is on its way when the connections are closed.
   */
  leave(): void {
    this.#isLeaving = true;
    for (const { response } of this.#connections.values()) {
      if (response?.headersSent === false) response.setHeader('Connection', 'close');
    }
  }

  /**
   * Lets what comes wait, and resolves when nothing comes any more: then no caller is about to connect, or to send something
   * on a connection that it has, and whatever is closed meets nobody. Who does not stop coming is not waited for.
   */
  async hold(): Promise<void> {
    this.leave();
    this.#isHolding = true;
    const end = performance.now() + CLOSE_GRACE_MS;
    const isQuiet = () => this.#underWay === 0 && performance.now() - this.#lastHeardOf > QUIET_MS;
    while (!isQuiet() && performance.now() < end) await setTimeout(LOOK_MS);
  }

  /**
   * Answers those that wait, and ends each connection with the answer that is under way on it; the others at once. Whoever
   * comes later is too late.
   */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // Node's own for HTTP would also cut off answers that their callers have not received yet.
    NetServer.prototype.close.call(this.#server, () => resolve());
    this.#isHolding = false;
    this.#isClosing = true;
    for (const [socket, connection] of this.#connections) {
      if (connection.idleSince !== undefined) connection.behind.shift()?.();
      if (connection.idleSince !== undefined) this.#end(socket, connection.idleSince);
    }
    await promise;
    // Now there is nothing to cut off, and it stops looking at its connections.
    this.#server.close();
  }

  /** Ends a connection on which nothing is under way, gently: a request that crosses the end meets no reset. */
  #end(socket: Socket, idleSince: number): void {
    const hasBegun = socket.bytesRead > idleSince;
    if (!hasBegun) socket.end();
    socket.setTimeout(CLOSE_GRACE_MS);
  }
}

/** Whether the last answer on a connection was that its caller is to come again later. */
function wasTurnedAway({ response }: Connection): boolean {
  return response?.statusCode === 503;
}

let usualStackTraceLimit = Error.stackTraceLimit;

/**
 * Lets no stacks be taken while a connection closes: Node.js makes an error for each request on it that is not answered, which nobody
 * asks for. Callers who send many ahead and leave would have the gateway do hardly anything else.
 */
function spareStacks(socket: Socket): void {
  socket.prependOnceListener('close', () => {
    usualStackTraceLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = usualStackTraceLimit;
  });
}

/** Answers with the error envelope where Node.js gives no response to answer with, and closes the connection. */
export function refuse(socket: Socket, message: string, requestId = createRequestId()): void {
  if (!socket.writable) return;
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
