import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@action-platform/local-servers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program that is installed here, at a port of this machine. */
export class Program {
  readonly #args: (port: number) => readonly string[];
  readonly #path: string;
  #process: ChildProcess | undefined;
  #port: number | undefined;

  /** @param args of Node.js, from `docs/clients` @param path of its address */
  constructor(args: (port: number) => readonly string[], path = '/mcp') {
    this.#args = args;
    this.#path = path;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** Starts it, again at the same port, and resolves when it answers. */
  async start(): Promise<string> {
    this.#port ??= await freePort();
    const args = ['--import', './test/mcp/on-loopback.mjs', ...this.#args(this.#port)];
    const env = { ...process.env, PORT: `${this.#port}` };
    this.#process = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore' });
    while (
      await fetch(this.url, { method: 'OPTIONS' }).then(
        () => false,
        () => true,
      )
    ) {
      if (this.#process.exitCode !== null)
        throw new Error(`${args.join(' ')} ended with ${this.#process.exitCode}`);
      await sleep(50);
    }
    return this.url;
  }

  async stop(): Promise<void> {
    if (this.#process === undefined || this.#process.exitCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}

/** The reference server, with sessions, answers as streams. */
export const everything = () =>
  new Program(() => ['node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'streamableHttp']);

/** A server of the standard input behind a gateway, with a process for each session. */
export const filesystem = (folder: string) => {
  const server = `${process.execPath} node_modules/@modelcontextprotocol/server-filesystem/dist/index.js ${folder}`;
  const options = ['--outputTransport', 'streamableHttp', '--stateful', '--logLevel', 'none'];
  return new Program((port) => [
    ...['node_modules/supergateway/dist/index.js', '--stdio', server, '--port', `${port}`],
    ...options,
  ]);
};

/** A REST API. */
export const jsonServer = (file: string) =>
  new Program(
    (port) => ['node_modules/json-server/lib/cli/bin.js', file, '--host', '127.0.0.1', '--port', `${port}`],
    '/',
  );

/** A server of FastMCP, with sessions. */
export async function startFastMcp() {
  const server = new FastMCP({ name: 'fast', version: '1.0.0' });
  server.addTool({
    name: 'add',
    description: 'Adds two numbers.',
    parameters: z.object({ a: z.number(), b: z.number() }),
    annotations: { readOnlyHint: true },
    execute: async ({ a, b }) => String(a + b),
  });
  const port = await freePort();
  await server.start({ transportType: 'httpStream', httpStream: { port, host: '127.0.0.1' } });
  return { url: `http://127.0.0.1:${port}/mcp`, stop: () => server.stop() };
}

/** A server of revision 2026-07-28 alone, without sessions. */
export async function startStateless() {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'stateless', version: '1.0.0' });
      const inputSchema = z.object({ amount: z.number(), note: z.string().optional() });
      const outputSchema = z.object({ paid: z.number() });
      server.registerTool(
        'pay_invoice',
        { description: 'Pays an invoice.', inputSchema, outputSchema },
        async ({ amount }) => {
          if (amount < 0)
            return { isError: true, content: [{ type: 'text', text: 'The amount is negative.' }] };
          return { content: [{ type: 'text', text: `paid ${amount}` }], structuredContent: { paid: amount } };
        },
      );
      return server;
    },
    { legacy: 'reject' },
  );
  const server = createServer(toNodeHandler(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await handler.close();
    },
  };
}
