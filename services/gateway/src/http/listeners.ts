import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { bind } from '@action-platform/service-host';
import { Entrance, type Room } from './entrance.ts';

/**
 * In how many sockets connections wait to be taken. Node.js takes one connection from each in a turn of the event loop,
 * and a turn in which very many requests arrive is long. From a single socket, it took five seconds to take two thousand
 * new connections. How many of those taken come in is for the entrance to say.
 */
const SOCKETS = process.platform === 'linux' ? 64 : 1;

/**
 * How many connections may wait to be taken. The kernel drops what is more, and whoever is dropped tries again after 1, 3, 7
 * and 15 seconds; it allows no more than `net.core.somaxconn`, 4096 on Linux.
 */
const BACKLOG = 4_096;

/** For how many turns of the event loop connections are taken at most that wait when everything is closed. */
const MOST_TURNS = 100;

/** What listens at one address for an HTTP server. */
export interface Listeners {
  readonly address: AddressInfo;
  /** Takes those connections that wait to be taken: when they are closed instead, their callers meet a reset. */
  takeRest(): Promise<void>;
  /** Takes no more connections; resolves when those of all but the server itself have ended. */
  close(): Promise<void>;
}

/**
 * Makes a server listen, with as many sockets as it takes to be quick (`SO_REUSEPORT`, socket(7)).
 *
 * @param room how many new connections may come in. One socket is the server's own, whose connections do not ask: one in a turn.
 * @throws when the address is in use, or cannot be used.
 */
export async function listenAt(
  server: HttpServer,
  host: string,
  port: number,
  room: () => Room,
): Promise<Listeners> {
  const reusePort = SOCKETS > 1;
  // Sockets that share a port would also share it with those of another gateway: it has to be free.
  if (reusePort && port !== 0) {
    const probe = createServer();
    await bind(probe, { host, port, variable: 'PORT' });
    await closed(probe);
  }
  const options = { host, backlog: BACKLOG, reusePort, variable: 'PORT' };
  await bind(server, { ...options, port });
  const address = server.address() as AddressInfo;
  const entrance = new Entrance((socket) => {
    server.emit('connection', socket);
    socket.resume();
  }, room);
  const others = await Promise.all(
    Array.from({ length: SOCKETS - 1 }, async () => {
      // As an HTTP server has it.
      const other = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true });
      other.on('connection', (socket) => entrance.arrive(socket));
      await bind(other, { ...options, port: address.port });
      return other;
    }),
  );
  let taken = 0;
  server.on('connection', () => taken++);
  return {
    address,
    takeRest: async () => {
      entrance.openWide();
      for (let turns = 0, before = -1; taken !== before && turns < MOST_TURNS; turns++) {
        before = taken;
        await setImmediate();
      }
    },
    close: async () => {
      await Promise.all(others.map(closed));
    },
  };
}

async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}
