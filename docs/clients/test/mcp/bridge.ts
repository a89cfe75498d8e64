import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Connection, connectionOf } from './connections.ts';

const program = fileURLToPath(new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url));

/** How `mcp-remote` is started. */
interface Start {
  /** Further options. */
  readonly options?: readonly string[];
  /** The folder of its tokens. */
  readonly folder: string;
  /** Receives what it logs. */
  readonly onLog?: (text: string) => void;
}

/** Connects a program that takes a server on its standard input alone, through `mcp-remote`. */
export async function connectByBridge(
  url: string,
  { options = [], folder, onLog }: Start,
): Promise<Connection> {
  const port = String(await freePort());
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, url, port, '--host', '127.0.0.1', '--transport', 'http-only', ...options],
    // No browser opens: what it logs names the address.
    env: { ...(process.env as Record<string, string>), MCP_REMOTE_CONFIG_DIR: folder, BROWSER: 'true' },
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => onLog?.(chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return connectionOf(client);
}

/** Connects with headers in place of a sign-in. */
export async function connectWithHeaders(url: string, headers: Record<string, string>): Promise<Connection> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-remote-'));
  const options = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}:${value}`]);
  const connection = await connectByBridge(url, { options, folder });
  return {
    ...connection,
    close: async () => {
      await connection.close();
      rmSync(folder, { recursive: true });
    },
  };
}
