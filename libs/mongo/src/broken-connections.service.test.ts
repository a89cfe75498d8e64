import { connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate as endOfTick } from 'node:timers/promises';
import { askRun, listen } from '@action-platform/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Database, openDatabase } from './database.ts';

const CONNECTIONS = 20;

let server: Server;
let database: Database;
/** The far ends of the connections of `database`. */
const accepted: Socket[] = [];
beforeAll(async () => {
  const { adminUrl } = await askRun('newDatabase', 'broken-connections');
  const url = new URL(adminUrl);
  const port = Number(url.port);
  server = createServer((socket) => {
    const onward = connect(port, '127.0.0.1');
    accepted.push(socket);
    socket
      .on('error', () => {})
      .on('close', () => onward.destroy())
      .pipe(onward);
    onward
      .on('error', () => {})
      .on('close', () => socket.destroy())
      .pipe(socket);
  });
  url.port = String(await listen(server));
  url.searchParams.set('directConnection', 'true');
  database = await openDatabase(url.href, 'broken-connections');
});
afterAll(async () => {
  await database.close();
  for (const socket of accepted) socket.destroy();
  server.close();
});

test('a command sent on a closing connection fails, and does not wait forever', async () => {
  for (let round = 0; round < 5; round++) {
    // Concurrent pings open as many connections, which are idle afterwards.
    await Promise.allSettled(Array.from({ length: CONNECTIONS }, () => database.ping()));
    for (const socket of accepted.splice(0)) socket.end();
    const sent: Promise<unknown>[] = [];
    for (let index = 0; index < CONNECTIONS; index++) {
      // Some pings fail before the test sends the last one.
      sent.push(Promise.allSettled([database.ping()]));
      await endOfTick();
    }
    expect(await Promise.all(sent)).toHaveLength(CONNECTIONS);
  }
  await expect(database.ping()).resolves.toBeUndefined();
});
