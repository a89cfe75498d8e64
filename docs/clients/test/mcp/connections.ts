import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientOfSdk } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportOfSdk } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The result of a tool, as a client reports it. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
}

/** A client of the Model Context Protocol that is connected to a server. */
export interface Connection {
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Connects a client to a URL with a bearer token. */
type Connect = (url: string, token: string) => Promise<Connection>;

const info = { name: 'test', version: '1' };
const nameOf = ({ name }: { name: string }) => name;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** The official client. @param mode how it chooses a revision; by default it opens with the handshake of 2025 */
const official =
  (mode?: 'auto' | { pin: string }): Connect =>
  async (url, token) => {
    const client = new Client(info, mode === undefined ? {} : { versionNegotiation: { mode } });
    const requestInit = { headers: bearer(token) };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    return {
      tools: async () => (await client.listTools()).tools.map(nameOf),
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
      close: () => client.close(),
    };
  };

/** The official client before version 2. */
const sdk: Connect = async (url, token) => {
  const client = new ClientOfSdk(info);
  const requestInit = { headers: bearer(token) };
  await client.connect(new TransportOfSdk(new URL(url), { requestInit }) as any);
  return {
    tools: async () => (await client.listTools()).tools.map(nameOf),
    call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  };
};

/** The client of the AI SDK, an implementation of its own. */
const aiSdk =
  (protocolVersionDiscovery: boolean): Connect =>
  async (url, token) => {
    const transport = { type: 'http', url, headers: bearer(token) } as const;
    const client = await createMCPClient({ transport, protocolVersionDiscovery });
    return {
      tools: async () => (await client.listTools()).tools.map(nameOf),
      call: async (name, args) => (await client.callTool({ name, arguments: args })) as ToolResult,
      close: () => client.close(),
    };
  };

/** The command line of the Inspector, a process for each request. */
const inspector =
  (era: 'legacy' | 'modern'): Connect =>
  async (url, token) => {
    const run = (...options: string[]) =>
      inspect(url, ['--protocol-era', era, '--header', `Authorization: Bearer ${token}`, ...options]);
    return {
      tools: async () => {
        const { result } = await run('--method', 'tools/list', '--strict');
        return (result as { tools: { name: string }[] }).tools.map(nameOf);
      },
      call: async (name, args) => {
        const json = JSON.stringify(args);
        const call = ['--method', 'tools/call', '--tool-name', name, '--tool-args-json', json];
        return (await run(...call)).result as ToolResult;
      },
      close: async () => {},
    };
  };

const packages = '../../node_modules/@modelcontextprotocol';
const cli = fileURLToPath(new URL(`${packages}/inspector/clients/launcher/build/index.js`, import.meta.url));
/** The exit codes of a result, and of one with `isError`. */
const RESULT_CODES = [0, 5];

/** Runs the Inspector's command line. Rejects unless it exits as after a result of a tool, refused ones among them. */
function inspect(url: string, options: string[]): Promise<{ result: unknown }> {
  const args = [cli, '--cli', '--server-url', url, '--transport', 'http', '--quiet', '--format', 'json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...args, ...options], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      if (RESULT_CODES.includes(code)) resolve(JSON.parse(stdout));
      else reject(new Error(`The Inspector exited with ${code}: ${stderr}${stdout}`));
    });
  });
}

/** Every client in each era that it speaks, by name. */
export const connections: Readonly<Record<string, Connect>> = {
  '@modelcontextprotocol/client by default': official(),
  '@modelcontextprotocol/client that discovers': official('auto'),
  '@modelcontextprotocol/client pinned to 2026-07-28': official({ pin: '2026-07-28' }),
  '@modelcontextprotocol/sdk': sdk,
  '@ai-sdk/mcp that discovers': aiSdk(true),
  '@ai-sdk/mcp with the handshake': aiSdk(false),
  'the Inspector, 2025': inspector('legacy'),
  'the Inspector, 2026-07-28': inspector('modern'),
};
