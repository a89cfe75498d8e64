import { type Agent, request } from 'node:http';
import { toolName } from '@action-platform/contracts';

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
  const { hostname, port } = new URL(baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ hostname, port, method, path, headers: { ...headers }, agent }, (response) => {
    const { statusCode: status, headers: received } = response;
    response.toArray().then((chunks: Buffer[]) => {
      resolve(answerOf(status!, received, Buffer.concat(chunks).toString()));
    }, reject);
  });
  sent.once('error', reject);
  if (token !== undefined) sent.setHeader('Authorization', `Bearer ${token}`);
  if (body !== undefined) sent.setHeader('Content-Type', 'application/json');
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

/** Calls an operation as a tool of the Model Context Protocol. */
export async function callTool(
  baseUrl: string,
  token: string,
  operation: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const params = { name: toolName(operation), arguments: args };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const accept = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' };
  return await send(baseUrl, {
    method: 'POST',
    path: '/mcp',
    token,
    body,
    headers: { ...accept, ...headers },
  });
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
  const { status, text, json } = await send(baseUrl, { method: 'POST', path, token, body });
  if (status !== 201) throw new Error(`The gateway created no ${kind} grant: ${status} ${text}`);
  return { id: json.grant.id, secret: json.secret };
}
