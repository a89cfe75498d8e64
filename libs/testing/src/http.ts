import http, { type Agent } from 'node:http';
import https from 'node:https';

/** A parsed body: each call has another one, of which a test reads a part. */
export type Json = ReturnType<JSON['parse']>;

/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body, parsed. */
  readonly json: Json;
  /** The code of a refusal; `ok` for a success. */
  readonly code: string;
}

/** An HTTP request. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly token?: string | undefined;
  /** An object is sent as JSON. */
  readonly body?: string | object | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends a request with its exact path: `fetch` would normalize `.`, `..` and their encodings. Rejects without a whole answer.
 *
 * @param agent keeps the connection; by default the request has one of its own
 */
export async function send(
  baseUrl: string,
  { method, path, token, body, headers = {} }: SentRequest,
  agent?: Agent,
): Promise<Answer> {
  const { protocol, hostname, port } = new URL(baseUrl);
  const { request } = protocol === 'https:' ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ hostname, port, method, path, headers: { ...headers }, agent }, (response) => {
    const { statusCode: status, headers: received } = response;
    response.toArray().then((chunks: Buffer[]) => {
      resolve(answerOf(status!, received, Buffer.concat(chunks).toString()));
    }, reject);
  });
  sent.once('error', reject);
  if (token !== undefined) sent.setHeader('Authorization', `Bearer ${token}`);
  if (body !== undefined && !sent.hasHeader('Content-Type'))
    sent.setHeader('Content-Type', 'application/json');
  sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  return await promise;
}

const answerOf = (status: number, headers: Answer['headers'], text: string): Answer => ({
  ...{ status, headers, text },
  get json() {
    return JSON.parse(text);
  },
  get code() {
    return this.json.error?.code ?? 'ok';
  },
});

/** Executes an operation over HTTP. Rejects without a whole answer. */
export async function execute(
  baseUrl: string,
  token: string | undefined,
  operation: string,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const path = `/api/v1/operations/${operation}`;
  return await send(baseUrl, { method: 'POST', path, token, body, headers });
}

/** A caller whose requests must succeed. */
export class Caller {
  readonly #baseUrl: string;
  readonly #token: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** @param headers of every request */
  constructor(baseUrl: string, token: string, headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#token = token;
    this.#headers = headers;
  }

  /** The body of the answer. @throws Error with an answer that is no success */
  async request(method: string, path: string, body?: object | string): Promise<Json> {
    const sent = { method, path, token: this.#token, body, headers: this.#headers };
    const { status, text, json } = await send(this.#baseUrl, sent);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return json;
  }

  /** The result of an operation. @throws Error with the refusal */
  async execute(operation: string, input: object | string): Promise<Json> {
    return (await this.request('POST', `/api/v1/operations/${operation}`, input)).result;
  }
}

/** A grant that was created, with its secret. */
export interface CreatedGrant {
  readonly id: string;
  readonly secret: string;
}

/**
 * Creates an operation grant for a request with `operationScope`, else a routine grant; the grant expires in an hour unless the request
 * says otherwise.
 *
 * @throws Error with the answer when the gateway refuses it
 */
export async function createGrant(baseUrl: string, token: string, grant: object): Promise<CreatedGrant> {
  const kind = 'operationScope' in grant ? 'operation' : 'routine';
  const body = { expiresAt: new Date(Date.now() + 3_600_000).toISOString(), ...grant };
  const created = await new Caller(baseUrl, token).request('POST', `/api/v1/${kind}-grants`, body);
  return { id: created.grant.id, secret: created.secret };
}
