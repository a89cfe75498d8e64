import type { ServerResponse } from 'node:http';
import type { Received } from '@action-platform/testing';

interface Rpc {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: object; readonly cursor?: string };
}

/** Answers a call of a tool: with a result, or by itself when it returns undefined. */
type Calling = (rpc: Rpc, response: ServerResponse, received: Received) => string | undefined;

export const TEXT = '{"content":[{"type":"text","text":"done"}]}';
export const TOOL = { name: 'create_issue', description: 'Opens an issue.', inputSchema: { type: 'object' } };

/** A server of MCP with either the handshake of the 2025 revisions and sessions, or without both. */
export class TestMcpServer {
  isStateless = false;
  isStreaming = false;
  /** The tools, in pages. */
  pages: readonly (readonly object[])[] = [[TOOL]];
  call: Calling = () => TEXT;
  /** How the server answers a session that it does not know. */
  unknown = { status: 404, message: 'Session not found' };
  readonly sessions = new Set<string>();
  /** The methods of all messages, in their order. */
  readonly methods: string[] = [];
  readonly calls: Received[] = [];

  /** Answers a request. */
  readonly answer = (response: ServerResponse, received: Received): unknown => {
    if (received.method === 'DELETE') {
      const isKnown = this.sessions.delete(received.headers['mcp-session-id'] ?? '');
      return response.writeHead(isKnown ? 204 : 404).end();
    }
    const rpc = JSON.parse(received.body) as Rpc;
    this.methods.push(rpc.method);
    const error = (status: number, code: number, message: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
    const isModern = received.headers['mcp-protocol-version'] === '2026-07-28';
    if (this.isStateless !== isModern) {
      if (this.isStateless) return error(400, -32_022, 'Unsupported protocol version');
      if (rpc.method !== 'initialize' && received.headers['mcp-session-id'] === undefined)
        return error(400, -32_000, 'Bad Request: no session');
    }
    if (rpc.method === 'initialize') {
      const id = `session-${this.sessions.size}-${Math.random()}`;
      this.sessions.add(id);
      response.setHeader('mcp-session-id', id);
      return this.#send(
        response,
        rpc,
        '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{}}',
      );
    }
    if (!this.isStateless && !this.sessions.has(received.headers['mcp-session-id'] ?? ''))
      return error(this.unknown.status, -32_001, this.unknown.message);
    if (rpc.id === undefined) return response.writeHead(202).end();
    if (rpc.method === 'tools/list') return this.#send(response, rpc, JSON.stringify(this.#page(rpc)));
    this.calls.push(received);
    const result = this.call(rpc, response, received);
    return result !== undefined && this.#send(response, rpc, result);
  };

  #page({ params }: Rpc): object {
    const index = Number(params?.cursor ?? 0);
    const more = index + 1 < this.pages.length ? { nextCursor: `${index + 1}` } : {};
    return { tools: this.pages[index], ...more, ...(this.isStateless && { resultType: 'complete' }) };
  }

  #send(response: ServerResponse, { id }: Rpc, result: string): unknown {
    const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    if (!this.isStreaming)
      return response.writeHead(200, { 'content-type': 'application/json' }).end(message);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': a comment\r\nid: 1\r\ndata:\r\n\r\n');
    // The stream stays open: its client has what it asked for.
    return response.write(`event: message\rdata: ${message}\r\r`);
  }
}
