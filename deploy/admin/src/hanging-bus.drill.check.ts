import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { listen, startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { run as runProcess } from './test-support/typed.ts';

let bus: TestBus;
const servers: Server[] = [];
const sockets = new Set<Socket>();

beforeAll(async () => {
  bus = await startTestBus();
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await bus.stop();
});

/** A proxy to the NATS server that hangs, like a stopped process, once the client has sent `word`. */
async function hangingBus(word: string): Promise<string> {
  const { hostname, port } = new URL(bus.url);
  let hangs = word === '';
  const server = createServer((socket) => {
    const onward = createConnection(Number(port), hostname);
    for (const end of [socket, onward]) sockets.add(end.on('error', () => {}));
    socket.on('data', (bytes) => {
      hangs ||= bytes.includes(word);
      if (!hangs) onward.write(bytes);
    });
    onward.on('data', (bytes) => void (hangs || socket.write(bytes)));
    socket.on('close', () => onward.destroy());
  });
  servers.push(server);
  return `nats://127.0.0.1:${await listen(server)}`;
}

const run = (args: readonly string[], NATS_URL: string) =>
  runProcess(args, { ...bus.environment('admin'), NATS_URL });

const list = ['workspace', 'list'];
const setLevel = ['log-level', 'set', '--service', 'mail', '--level', 'debug', '--for', '1m'];

test('a command ends with one line and exit code 1 when the bus hangs', async () => {
  const outcomes = await Promise.all([
    run(list, await hangingBus('')),
    run(list, await hangingBus('SUB ')),
    run(list, await hangingBus('HPUB ')),
    run(setLevel, await hangingBus('PUB ')),
    run(['status'], await hangingBus('PUB ')),
  ]);
  for (const { stdout, stderr, code } of outcomes) {
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }
}, 60_000);
