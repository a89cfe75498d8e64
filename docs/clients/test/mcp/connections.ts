import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** A tool, as a client lists it. */
interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly required?: readonly string[] };
}

/** The result of a tool, as a client reports it. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A client of the Model Context Protocol that is connected to a server. */
export interface Connection {
  tools(): Promise<Tool[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Connects a client to a URL with these headers. */
export type Connect = (url: string, headers: Record<string, string>) => Promise<Connection>;

const info = { name: 'test', version: '1' };

/** The header of a bearer token. */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The connection of a client: both clients have the same methods. */
export const connectionOf = (client: {
  listTools(): Promise<{ tools: unknown }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}): Connection => ({
  tools: async () => (await client.listTools()).tools as Tool[],
  call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
  close: () => client.close(),
});

/** The official client. @param mode how it chooses a revision; by default the client opens with the handshake of 2025 */
const official =
  (mode?: 'auto' | { pin: string }): Connect =>
  async (url, headers) => {
    const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    return connectionOf(client);
  };

/** The client of the AI SDK, an implementation of its own. */
const aiSdk =
  (protocolVersionDiscovery: boolean): Connect =>
  async (url, headers) => {
    const transport = { type: 'http', url, headers } as const;
    return connectionOf(await createMCPClient({ transport, protocolVersionDiscovery }));
  };

/** Both clients in each era that they speak, by name. */
export const connections: Readonly<Record<string, Connect>> = {
  '@modelcontextprotocol/client by default': official(),
  '@modelcontextprotocol/client that discovers': official('auto'),
  '@modelcontextprotocol/client pinned to 2026-07-28': official({ pin: '2026-07-28' }),
  '@ai-sdk/mcp that discovers': aiSdk(true),
  '@ai-sdk/mcp with the handshake': aiSdk(false),
};
