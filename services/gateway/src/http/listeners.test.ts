import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type Listeners, listenAt } from './listeners.ts';

const HOST = '127.0.0.1';

let stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
  stops = [];
});

async function listening(port = 0): Promise<{ server: Server; listeners: Listeners }> {
  const server = createServer((_request, response) => response.end());
  const listeners = await listenAt(server, HOST, port, () => 'many');
  stops.push(async () => {
    server.close();
    await listeners.close();
  });
  return { server, listeners };
}

test('takes many new connections in a few turns of the event loop, however long each of them is', async () => {
  const { server, listeners } = await listening();
  let taken = 0;
  server.on('connection', () => taken++);
  const sockets: Socket[] = Array.from({ length: 200 }, () => connect(listeners.address.port, HOST));
  stops.push(() => sockets.map((socket) => socket.destroy()));
  let turns = 0;
  for (; taken < sockets.length; turns++) {
    for (const end = performance.now() + 10; performance.now() < end; );
    await setImmediate();
  }
  expect(turns).toBeLessThan(process.platform === 'linux' ? 50 : 500);
});

test('answers on every connection', async () => {
  const { listeners } = await listening();
  const answers = Array.from({ length: 100 }, () => fetch(`http://${HOST}:${listeners.address.port}/`));
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
});

test('does not share a port with another server, not even with one of its kind', async () => {
  const { listeners } = await listening();
  await expect(listening(listeners.address.port)).rejects.toThrow(
    `port ${listeners.address.port} of ${HOST} is in use: stop what uses it, or set PORT to another`,
  );
});

test('gives its port back', async () => {
  const { server, listeners } = await listening();
  server.close();
  await Promise.all([once(server, 'close'), listeners.close()]);
  const again = await listening(listeners.address.port);
  expect(again.listeners.address.port).toBe(listeners.address.port);
});
