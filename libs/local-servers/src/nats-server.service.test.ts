import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startNatsServer } from './nats-server.ts';
import type { LocalServer } from './process/server.ts';

const config = `
  max_payload: 4096
  authorization {
    users = [ { user: reader, password: secret, permissions: { publish: { allow: ["orders.>"] } } } ]
  }
`;
let directory: string;
let servers: LocalServer[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'local-servers-'));
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(directory, { recursive: true });
});

async function start(options: { port?: number; config?: string } = {}) {
  const server = await startNatsServer({
    config,
    configFile: join(directory, 'nats.conf'),
    logFile: join(directory, 'nats.log'),
    ...options,
  });
  servers.push(server);
  return server;
}

/** Sends lines of the NATS client protocol and returns the server's answers to all of them. */
async function converse(port: number, ...commands: string[]): Promise<string[]> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.write([...commands, 'PING', ''].join('\r\n'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: socket })) {
    lines.push(line);
    if (line === 'PONG') break;
  }
  socket.destroy();
  return lines;
}

test('it serves with the given configuration, which only this user can read', async () => {
  const configFile = join(directory, 'nats.conf');
  writeFileSync(configFile, 'an older one', { mode: 0o644 });
  const { port, url } = await start();
  expect(url).toBe(`nats://127.0.0.1:${port}`);
  expect(statSync(configFile).mode & 0o777).toBe(0o600);

  const login = 'CONNECT {"user":"reader","pass":"secret","verbose":false}';
  const [info, ...answers] = await converse(port, login, 'PUB orders.new 0', '', 'PUB grants.add 0', '');
  expect(JSON.parse(info?.replace(/^INFO /, '') ?? '')).toMatchObject({
    max_payload: 4096,
    auth_required: true,
  });
  expect(answers).toEqual([`-ERR 'Permissions Violation for Publish to "grants.add"'`, 'PONG']);

  const wrongPassword = 'CONNECT {"user":"reader","pass":"guess","verbose":false}';
  expect(await converse(port, wrongPassword)).toContain("-ERR 'Authorization Violation'");
});

test('the error for a port in use is one line', async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toThrow(
    new RegExp(
      `^nats-server did not start: .*127.0.0.1:${port}: bind: address already in use" \\(log: .*\\)$`,
    ),
  );
});

test('the error for a wrong configuration is one line', async () => {
  await expect(start({ config: 'max_payloads: 1' })).rejects.toThrow(
    /nats\.conf:1:\d+: unknown field "max_payloads"/,
  );
});
