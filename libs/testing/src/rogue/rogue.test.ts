import { createServer, type Server, type Socket } from 'node:net';
import { createBusKeys } from '@action-platform/bus';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '../listen.ts';
import { Rogue } from './rogue.ts';

const { seed } = createBusKeys().mail;

let server: Server;
afterEach(() => void server.close());

/** A server with one behaviour per connection, in turn; the last behaviour repeats. */
async function startServer(...turns: ((socket: Socket) => void)[]): Promise<string> {
  server = createServer((socket) => {
    const turn = turns.length > 1 ? turns.shift()! : turns[0]!;
    turn(socket.on('error', () => {}));
  });
  return `nats://127.0.0.1:${await listen(server)}`;
}

const close = (socket: Socket) => void socket.end();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const accept = (socket: Socket) => {
  socket.write('INFO {"nonce":"n"}\r\n');
  socket.on('data', () => socket.write('PONG\r\n'));
};

test('connecting repeats when the server closes before its INFO line', async () => {
  const rogue = await Rogue.connect(await startServer(close, reset, accept), seed);
  await rogue.close();
});

test.each([
  ['closes', close],
  ['resets', reset],
])('connecting fails at a server that %s every connection', async (_, turn) => {
  await expect(Rogue.connect(await startServer(turn), seed)).rejects.toThrow('has closed the connection');
});

test('connecting does not repeat at a closed port', async () => {
  const url = await startServer(close);
  server.close();
  await expect(Rogue.connect(url, seed)).rejects.toThrow('ECONNREFUSED');
});
