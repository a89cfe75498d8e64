import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { AddressRefused, DestinationCheck, type Resolve } from './destination-check.ts';
import { type DestinationPolicy, problemOf } from './destination-url.ts';

/** How long an idle connection is kept, in milliseconds. */
const IDLE_MS = 30_000;

/** A POST request to a server that a caller named. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
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
}

/** The final answer to a request, or a 1xx that takes its place. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As the server sent it: nothing is decompressed. */
  readonly body: Buffer;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** Nothing was sent: the URL or an address was refused, or no connection was made. `cause` says why. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('The request was not sent.', { cause });
    this.name = 'NotSent';
  }
}

interface SenderOptions extends DestinationPolicy {
  /** The URL of a proxy for all requests, which then decides about addresses: it alone resolves names. */
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve;
}

/** Sends requests to servers that may be hostile. It follows no redirect. */
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
   * Sends a request and resolves when its answer has ended, or enough of it was read. The status decides: a cut or late body is not whole.
   *
   * @throws NotSent; any other error of a request that may have arrived.
   */
  async post(post: Post): Promise<PostAnswer> {
    if (!post.isRepeatable) return await this.#send(post, this.#fresh);
    try {
      return await this.#send(post, this.#kept);
    } catch (error) {
      if (error instanceof ReusedConnectionClosed) return await this.#send(post, this.#fresh);
      throw error;
    }
  }

  /** Closes idle connections. */
  close(): void {
    for (const agent of [...Object.values(this.#kept), ...Object.values(this.#fresh)]) agent.destroy();
  }

  async #send(post: Post, using: ReturnType<typeof agents>): Promise<PostAnswer> {
    const url = new URL(post.url);
    // The policy may have become stricter since the URL was stored.
    if (problemOf(url, this.#policy) !== undefined) throw new NotSent(new AddressRefused());
    const isLocal = url.protocol === 'http:';
    const isTunnelled = this.#isProxied && !isLocal;
    const request = (isLocal ? http : https).request(url, {
      method: 'POST',
      headers: { ...post.headers, 'accept-encoding': 'identity' },
      signal: post.signal,
      agent: isLocal ? using.http : using.https,
      ...(!isTunnelled && { lookup: isLocal ? loopback : this.#lookup }),
    });
    // A tunnel is there before the request gets it.
    return await answerTo(request, post, isTunnelled ? undefined : isLocal ? 'connect' : 'secureConnect');
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
 * @param readyAt the event at which a new connection can carry the request; undefined when it can at once.
 */
function answerTo(
  request: http.ClientRequest,
  { body, signal, maxBytes, hold }: Post,
  readyAt: 'connect' | 'secureConnect' | undefined,
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    let isSent = false;
    let answered: (() => PostAnswer) | undefined;
    const fail = (error: unknown) => reject(isSent ? error : new NotSent(error));
    const end = () => (answered === undefined ? fail(signal.reason) : resolve(answered()));
    signal.addEventListener('abort', end, { once: true });
    request.once('socket', (socket) => {
      const send = () => {
        isSent = true;
        request.end(body);
      };
      if (readyAt === undefined || request.reusedSocket) send();
      else socket.once(readyAt, send);
    });
    // A 1xx is no answer, and nothing needs to follow it: with 101 the connection is no longer one of HTTP.
    const refuse = ({ statusCode = 0 }) => {
      request.destroy();
      resolve({ status: statusCode, headers: {}, body: Buffer.alloc(0), isWhole: false });
    };
    request.once('information', refuse);
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      refuse(response);
    });
    request.once('response', (response) => {
      const read = new BoundedBody(maxBytes, hold);
      answered = () => ({
        status: response.statusCode!,
        headers: response.headers,
        body: read.bytes,
        isWhole: response.complete && !read.isCut,
      });
      response.on('data', (chunk: Buffer) => {
        if (!read.add(chunk)) response.destroy();
      });
      response.on('error', () => {});
      read.isCut = Number(response.headers['content-length']) > maxBytes;
      if (read.isCut) response.destroy();
      response.once('close', end);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = request.reusedSocket && error.code === 'ECONNRESET';
      fail(isClosed ? new ReusedConnectionClosed() : error);
    });
  });
}

/** A body as it arrives: copied, because one in tiny pieces would take a multiple of its size. */
class BoundedBody {
  isCut = false;
  readonly #maxBytes: number;
  readonly #hold: (bytes: number) => boolean;
  #memory = Buffer.alloc(0);
  #length = 0;

  constructor(maxBytes: number, hold: (bytes: number) => boolean = () => true) {
    this.#maxBytes = maxBytes;
    this.#hold = hold;
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#length);
  }

  /** Whether it takes more. */
  add(chunk: Buffer): boolean {
    const end = this.#length + chunk.length;
    this.isCut ||= end > this.#maxBytes || !this.#grow(end);
    if (this.isCut) return false;
    this.#memory.set(chunk, this.#length);
    this.#length = end;
    return true;
  }

  #grow(end: number): boolean {
    if (end <= this.#memory.length) return true;
    const size = Math.min(this.#maxBytes, 2 * end);
    if (!this.#hold(size - this.#memory.length)) return false;
    this.#memory = Buffer.concat([this.#memory], size);
    return true;
  }
}

/** The address of `localhost`, whatever a name server says. */
const loopback: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
