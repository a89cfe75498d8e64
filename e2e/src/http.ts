import { type Agent, request } from 'node:http';

/** An HTTP answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
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
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ hostname, port, method, path, headers: { ...headers }, agent }, (response) => {
    const { statusCode: status, headers: received } = response;
    response.toArray().then((chunks: Buffer[]) => {
      resolve({ status: status!, headers: received, text: Buffer.concat(chunks).toString() });
    }, reject);
  });
  sent.once('error', reject);
  if (token !== undefined) sent.setHeader('Authorization', `Bearer ${token}`);
  if (body !== undefined) sent.setHeader('Content-Type', 'application/json');
  sent.end(typeof body === 'object' ? JSON.stringify(body) : body);
  return await promise;
}

/** A grant that was created, with its secret. */
export interface CreatedGrant {
  readonly id: string;
  readonly secret: string;
}

/**
 * Creates an operation grant for a request with `operationScope`, else a routine grant; it expires in an hour unless the request says
 * otherwise.
 *
 * @throws Error with the answer when the gateway refuses it
 */
export async function createGrant(baseUrl: string, token: string, grant: object): Promise<CreatedGrant> {
  const kind = 'operationScope' in grant ? 'operation' : 'routine';
  const body = { expiresAt: new Date(Date.now() + 3_600_000).toISOString(), ...grant };
  const path = `/api/v1/${kind}-grants`;
  const { status, text } = await send(baseUrl, { method: 'POST', path, token, body });
  if (status !== 201) throw new Error(`The gateway created no ${kind} grant: ${status} ${text}`);
  const created = JSON.parse(text) as { grant: { id: string }; secret: string };
  return { id: created.grant.id, secret: created.secret };
}
