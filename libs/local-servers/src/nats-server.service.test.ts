import { once } from 'node:events';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { makeTestFolder } from '@action-platform/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startNatsServer } from './nats-server.ts';
import type { LocalServer } from './process/server.ts';

let directory: string;
let servers: LocalServer[];
beforeEach(() => {
  directory = makeTestFolder();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(directory, { recursive: true });
});

async function start(options: { port?: number; config?: string } = {}) {
  const [configFile, logFile] = [join(directory, 'nats.conf'), join(directory, 'nats.log')];
  const server = await startNatsServer({ config: 'max_payload: 4096', configFile, logFile, ...options });
  servers.push(server);
  return server;
}

test('it serves with the given configuration, which only this user can read', async () => {
  const configFile = join(directory, 'nats.conf');
  writeFileSync(configFile, 'an older one', { mode: 0o644 });
  const { port, url } = await start();
  expect(url).toBe(`nats://127.0.0.1:${port}`);
  expect(statSync(configFile).mode & 0o777).toBe(0o600);
  const socket = connect(port, '127.0.0.1');
  const [info] = await once(socket, 'data');
  socket.destroy();
  expect(JSON.parse(String(info).replace(/^INFO /, ''))).toMatchObject({ max_payload: 4096 });
});

test('the error for a port in use or a wrong configuration is one line', async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toThrow(
    new RegExp(`^nats-server did not start: .*:${port}: bind: address already in use" \\(log: .*\\)$`),
  );
  const wrong = start({ config: 'max_payloads: 1' });
  await expect(wrong).rejects.toThrow(/nats\.conf:1:\d+: unknown field "max_payloads"/);
});
