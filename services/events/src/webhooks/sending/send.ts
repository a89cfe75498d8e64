import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { WebhookFailure } from '@action-platform/contracts';
import {
  AddressRefused,
  DestinationCheck,
  type DestinationPolicy,
  destinationUrl,
  type Resolve,
} from '@action-platform/outbound-http';
import { retryAfterMs } from './schedule.ts';

/** How long an attempt may take, from the look-up to the end of the answer, in milliseconds. */
const ATTEMPT_MS = 15_000;
/** How much of an answer is read, so that its connection can be used again. Nothing of it is kept. */
const ANSWER_MAX_BYTES = 16 * 1024;
/** How long an idle connection is kept, in milliseconds. */
const IDLE_MS = 30_000;

/** A request to an endpoint. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the attempt, which then has no outcome. */
  readonly signal: AbortSignal;
}

/** The outcome of an attempt; a success has no failure. */
export interface Attempted {
  /** The status of the answer, if one began. */
  readonly status?: number;
  readonly failure?: WebhookFailure;
  /** The pause that the endpoint asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

interface SenderOptions extends DestinationPolicy {
  /** The URL of a proxy for all requests, which then decides about addresses: it alone resolves names. */
  readonly proxy?: string | undefined;
  readonly resolve?: Resolve;
}

/** Sends requests to endpoints that may be hostile. */
export class Sender {
  readonly #policy: DestinationPolicy;
  readonly #http = new http.Agent({ keepAlive: true, timeout: IDLE_MS });
  readonly #connection: { readonly agent: https.Agent; readonly lookup?: LookupFunction };

  constructor({ proxy, resolve, ...policy }: SenderOptions) {
    this.#policy = policy;
    const proxied = proxy === undefined ? {} : { proxyEnv: { HTTPS_PROXY: proxy } };
    const agent = new https.Agent({ keepAlive: true, timeout: IDLE_MS, ...proxied });
    const { lookup } = new DestinationCheck(policy.allowedNetworks, resolve);
    this.#connection = proxy === undefined ? { agent, lookup } : { agent };
  }

  /** Makes an attempt; undefined when its signal ended it. */
  async send({ url, headers, body, signal }: WebhookRequest): Promise<Attempted | undefined> {
    const late = AbortSignal.timeout(ATTEMPT_MS);
    const options = { method: 'POST', headers, signal: AbortSignal.any([signal, late]) };
    try {
      return await this.#post(new URL(url), options, body);
    } catch (error) {
      if (signal.aborted) return undefined;
      return { failure: late.aborted ? 'timeout' : failureOf(error as NodeJS.ErrnoException) };
    }
  }

  /** Closes idle connections. */
  close(): void {
    this.#connection.agent.destroy();
    this.#http.destroy();
  }

  async #post(
    url: URL,
    options: https.RequestOptions & { readonly signal: AbortSignal },
    body: string,
  ): Promise<Attempted> {
    // The policy may have become stricter since the endpoint was stored.
    destinationUrl(url.href, this.#policy);
    const isLocal = url.protocol === 'http:';
    const connection = isLocal ? { agent: this.#http, lookup: loopback } : this.#connection;
    const send = () => {
      const request = (isLocal ? http : https).request(url, { ...options, ...connection });
      return answerTo(request, body, options.signal);
    };
    return await send().catch((error: unknown) => {
      // The endpoint closed the idle connection at the same time.
      if (error instanceof ReusedConnectionClosed) return send();
      throw error;
    });
  }
}

class ReusedConnectionClosed extends Error {}

/** Sends the body, and resolves when the answer has ended, enough of it was read, or the signal aborts after its status. */
function answerTo(request: http.ClientRequest, body: string, signal: AbortSignal): Promise<Attempted> {
  return new Promise((resolve, reject) => {
    let answered: Attempted | undefined;
    // The status decides, also when the rest of the answer is cut or late.
    const end = () => (answered === undefined ? reject(signal.reason) : resolve(answered));
    signal.addEventListener('abort', end, { once: true });
    // A 1xx is no answer, and nothing needs to follow it: with 101 the connection is no longer one of HTTP.
    const refuse = ({ statusCode = 0 }) => {
      request.destroy();
      resolve(outcomeOf(statusCode));
    };
    request.once('information', refuse);
    request.once('upgrade', (response, socket) => {
      socket.destroy();
      refuse(response);
    });
    request.once('response', (response) => {
      answered = outcomeOf(response.statusCode!, response.headers['retry-after']);
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes >= ANSWER_MAX_BYTES) response.destroy();
      });
      response.on('error', () => {});
      response.once('close', end);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const wasReused = request.reusedSocket && error.code === 'ECONNRESET';
      reject(wasReused ? new ReusedConnectionClosed() : error);
    });
    request.end(body);
  });
}

function outcomeOf(status: number, retryAfter?: string): Attempted {
  if (status >= 200 && status < 300) return { status };
  const failure = status >= 300 && status < 400 ? 'redirect' : 'status';
  return { status, failure, retryAfterMs: retryAfterMs(retryAfter, Date.now()) };
}

/** The address of `localhost`, whatever a name server says. */
const loopback: LookupFunction = (_host, { all }, done) =>
  all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

function failureOf(error: NodeJS.ErrnoException): WebhookFailure {
  if (error instanceof AddressRefused || error.name === 'ActionError') return 'address_refused';
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/.test(error.code ?? '')
    ? 'tls_failed'
    : 'connection_failed';
}
