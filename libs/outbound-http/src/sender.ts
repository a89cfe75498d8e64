import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { AddressRefused, DestinationCheck, type Resolve } from './destination-check.ts';
import { type DestinationPolicy, problemOf } from './destination-url.ts';
import { NotSent, requestFailure } from './failure.ts';
import { AnswerTooLarge, type EndOfBody, NoMemoryForAnswer, readAtMost } from './read-at-most.ts';

/** How long an idle connection is kept, in milliseconds. */
const IDLE_MS = 30_000;

/** A request to a server that a caller named. */
export interface OutboundRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a request without one. */
  readonly body: string | Uint8Array | undefined;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /**
   * Whether a second request does no harm. Such a one may take an idle connection, and is sent again when its server closed that at the
   * same time; any other one is sent once, on a connection of its own.
   */
  readonly isRepeatable: boolean;
  /** The most bytes of the answer that are read. */
  readonly maxBytes: number;
  /** Takes memory for so many more bytes of the answer; the reading ends when it returns false. */
  readonly hold?: (bytes: number) => boolean;
  /** For an answer with these headers, a function that sees each piece of it: true ends the reading after that piece. */
  readonly endOf?: (headers: IncomingHttpHeaders) => EndOfBody | undefined;
}

/** The most 1xx that precede an answer. */
const INFORMATIONAL_MAX = 16;

/** The final answer to a request. */
export interface OutboundAnswer {
  /** Of a 1xx when the server ended HTTP with 101, or sent too many others. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As the server sent it: nothing is decompressed. Undefined for one that is too large, cut or late. */
  readonly body: Buffer | undefined;
  /** Why its body was not read to the end. */
  readonly failure?: ReturnType<typeof requestFailure> | 'too_large' | 'no_memory';
}

interface SenderOptions extends DestinationPolicy {
  /** The URL of a proxy for all requests, which then decides about addresses: the proxy alone resolves names. */
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve;
}

/** Sends requests to servers that may be hostile. `Sender` follows no redirect. */
export class Sender {
  readonly #policy: DestinationPolicy;
  readonly #isProxied: boolean;
  readonly #lookup: LookupFunction;
  readonly #kept: ReturnType<typeof agents>;
  readonly #fresh: ReturnType<typeof agents>;

  constructor({ proxy, resolve, ...policy }: SenderOptions) {
    this.#policy = policy;
    this.#isProxied = proxy !== undefined;
    this.#lookup = new DestinationCheck(policy.allowedNetworks, resolve).lookup;
    this.#kept = agents({ keepAlive: true, proxy });
    this.#fresh = agents({ keepAlive: false, proxy });
  }

  /**
   * Sends a request and resolves when its answer has ended, or enough of it was read; also with the status alone.
   *
   * @throws NotSent; any other error of a request that may have arrived.
   */
  async send(request: OutboundRequest): Promise<OutboundAnswer> {
    if (!request.isRepeatable) return await this.#send(request, this.#fresh);
    try {
      return await this.#send(request, this.#kept);
    } catch (error) {
      if (error instanceof ReusedConnectionClosed) return await this.#send(request, this.#fresh);
      throw error;
    }
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of [...Object.values(this.#kept), ...Object.values(this.#fresh)]) agent.destroy();
  }

  async #send(sent: OutboundRequest, using: ReturnType<typeof agents>): Promise<OutboundAnswer> {
    const url = new URL(sent.url);
    // The policy may have become stricter since the URL was stored.
    if (problemOf(url, this.#policy) !== undefined) throw new NotSent(new AddressRefused());
    const isLocal = url.protocol === 'http:';
    const isTunnelled = this.#isProxied && !isLocal;
    const request = (isLocal ? http : https).request(url, {
      method: sent.method,
      headers: {
        ...sent.headers,
        // Node.js sends none with DELETE by itself.
        ...(sent.body !== undefined && { 'content-length': Buffer.byteLength(sent.body) }),
        'accept-encoding': 'identity',
      },
      signal: sent.signal,
      agent: isLocal ? using.http : using.https,
      ...(!isTunnelled && { lookup: isLocal ? loopback : this.#lookup }),
    });
    // A tunnel is there before the request gets it.
    return await answerTo(request, sent, isTunnelled ? undefined : isLocal ? 'connect' : 'secureConnect');
  }
}

function agents({ keepAlive, proxy }: { readonly keepAlive: boolean; readonly proxy: string | undefined }) {
  const options = { keepAlive, timeout: IDLE_MS };
  const proxied = proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy } };
  return { http: new http.Agent(options), https: new https.Agent({ ...options, ...proxied }) };
}

class ReusedConnectionClosed extends Error {}

/**
 * Sends the body once there is a connection, and resolves with the answer; also after an abort when its status is known.
 *
 * @param readyAt the event at which a new connection can take the request; undefined when it can at once.
 */
function answerTo(
  request: http.ClientRequest,
  { body, maxBytes, hold, endOf, signal }: OutboundRequest,
  readyAt: 'connect' | 'secureConnect' | undefined,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    let isAnswered = false;
    const fail = (error: unknown) => {
      if (!isAnswered) reject(isSent ? error : new NotSent(error));
    };
    request.once('socket', (socket) => {
      const send = () => {
        isSent = true;
        request.end(body);
      };
      if (readyAt === undefined || request.reusedSocket) send();
      else socket.once(readyAt, send);
    });
    const refuse = ({ statusCode: status = 0 }) => {
      request.destroy();
      resolve({ status, headers: {}, body: undefined });
    };
    let informational = 0;
    // A client passes over each 1xx that it does not know or did not ask for (RFC 9110, section 15.2).
    request.on('information', (information) => {
      if (++informational > INFORMATIONAL_MAX) refuse(information);
    });
    // After 101 the connection is no longer one of HTTP. Without a header Upgrade, Node.js takes it for an answer.
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      refuse(response);
    });
    request.once('response', async (response) => {
      if (response.statusCode === 101) return refuse(response);
      isAnswered = true;
      const { statusCode: status = 0, headers } = response;
      response.on('error', () => {});
      try {
        if (Number(headers['content-length']) > maxBytes)
          throw new AnswerTooLarge('The answer declares too many bytes.');
        resolve({ status, headers, body: await readAtMost(maxBytes, response, hold, endOf?.(headers)) });
      } catch (error) {
        response.destroy();
        resolve({ status, headers, body: undefined, failure: readingFailure(error, signal) });
      }
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = request.reusedSocket && error.code === 'ECONNRESET';
      fail(isClosed ? new ReusedConnectionClosed() : error);
    });
  });
}

/** Why the body of an answer was not read to the end. */
function readingFailure(error: unknown, time: AbortSignal): NonNullable<OutboundAnswer['failure']> {
  if (error instanceof AnswerTooLarge) return 'too_large';
  return error instanceof NoMemoryForAnswer ? 'no_memory' : requestFailure(error, time);
}

/** The address of `localhost`, whatever a name server says. */
const loopback: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
