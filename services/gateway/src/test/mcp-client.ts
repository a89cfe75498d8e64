import { toolName } from '@action-platform/contracts/ids';
import type { Operation } from '@action-platform/contracts/operations';
import type { Response } from 'supertest';
import type { GatewayHarness } from './harness.ts';
import { RawConnection } from './raw-http.ts';

/** The revision without a handshake. */
export const MODERN = '2026-07-28';

/** The `_meta` that a request of that revision must have. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A result of the protocol, as far as tests look at it. */
export interface CallResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: object;
}

/** Sends messages of the Model Context Protocol over HTTP, without a library that would change them. */
export class McpClient {
  readonly #harness: GatewayHarness;
  readonly #token: string | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  /** The query of the address. */
  query = '';

  constructor(
    harness: GatewayHarness,
    token: string | undefined,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.#harness = harness;
    this.#token = token;
    this.#headers = headers;
  }

  /** Sends a body as it is. */
  post(body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
    const request = this.#harness.http
      .post(`/mcp${this.query}`)
      .set('Content-Type', 'application/json')
      .set('Accept', 'application/json, text/event-stream')
      .set({ ...this.#headers, ...headers });
    if (this.#token !== undefined) request.auth(this.#token, { type: 'bearer' });
    return request.serialize((bytes) => bytes as string).send(body);
  }

  /** Sends a request of revision 2026-07-28. */
  modern(method: string, params: Readonly<Record<string, unknown>> = {}, id: string | number = 1) {
    const name = method === 'tools/call' ? { 'Mcp-Name': String(params.name) } : {};
    return this.post(
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: modernMeta } }),
      {
        'MCP-Protocol-Version': MODERN,
        'Mcp-Method': method,
        ...name,
      },
    );
  }

  /** Sends a request of a revision with a handshake. */
  legacy(method: string, params: Readonly<Record<string, unknown>> = {}, version = '2025-11-25') {
    return this.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
      'MCP-Protocol-Version': version,
    });
  }

  /** Calls the tool of an operation. @param args an object, or its JSON text, which is sent unchanged. */
  async call(operation: Pick<Operation, 'id'>, args: object | string): Promise<CallResult> {
    const { body } = await this.callRaw(operation, args);
    return (body as { result: CallResult }).result;
  }

  /** As {@link call}, with the whole answer. */
  callRaw(operation: Pick<Operation, 'id'>, args: object | string): PromiseLike<Response> {
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    const name = toolName(operation.id);
    const params = `{"name":"${name}","arguments":${text},"_meta":${JSON.stringify(modernMeta)}}`;
    return this.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    });
  }

  /** The names of the tools that the list has now. */
  async toolNames(): Promise<string[]> {
    const { body } = await this.modern('tools/list');
    return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  }
}

/** The JSON in the first text block of a result. */
export function jsonIn({ content }: CallResult): unknown {
  return JSON.parse(content[0]!.text);
}

/** A connection that called the tool of an operation. */
export async function callingTool(
  { url }: GatewayHarness,
  token: string,
  { id }: Operation,
): Promise<RawConnection> {
  const params = { name: toolName(id), arguments: {}, _meta: modernMeta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const connection = await RawConnection.open(url);
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': params.name,
  };
  connection.request('POST /mcp', headers, body);
  return connection;
}
