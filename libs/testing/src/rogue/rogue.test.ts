import { createServer, type Server, type Socket } from 'node:net';
import { createBusKeys } from '@action-platform/bus';
import { afterEach, expect, test } from '@jest/globals';
import { listen } from '../listen.ts';
import { Rogue } from './rogue.ts';

const { seed } = createBusKeys().mail;

let server: Server;
afterEach(() => void server.close());

/** A server that does one after the other with those who connect, the last again and again. */
async function startServer(...turns: ((socket: Socket) => void)[]): Promise<string> {
  server = createServer((socket) => {
    const turn = turns.length > 1 ? turns.shift()! : turns[0]!;
    turn(socket.on('error', () => {}));
  });
  return `nats://127.0.0.1:${await listen(server)}`;
}

const close = (socket: Socket) => void socket.end();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const letIn = (socket: Socket) => {
  socket.write('INFO {"nonce":"n"}\r\n');
  socket.on('data', () => socket.write('PONG\r\n'));
};

test('a server that has no time to say anything is asked again', async () => {
  const rogue = await Rogue.connect(await startServer(close, reset, letIn), seed);
  await rogue.close();
});

test.each([
  ['closes', close],
  ['resets', reset],
])('one that %s every connection lets nobody in', async (_, turn) => {
  await expect(Rogue.connect(await startServer(turn), seed)).rejects.toThrow('has closed the connection');
});

test('one that is not there is not asked again', async () => {
  const url = await startServer(close);
  server.close();
  await expect(Rogue.connect(url, seed)).rejects.toThrow('ECONNREFUSED');
});
