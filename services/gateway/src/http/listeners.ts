import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

/**
 * In how many sockets connections wait to be taken. Node.js takes one connection from each in a turn of the event loop,
 * and a turn in which very many requests arrive is long: from a single socket, two thousand new connections were taken in
 * five seconds.
 */
const SOCKETS = process.platform === 'linux' ? 64 : 1;

/**
 * How many connections may wait to be taken. The kernel drops what is more, and whoever is dropped tries again after 1, 3, 7
 * and 15 seconds; it allows no more than `net.core.somaxconn`, 4096 on Linux.
 */
const BACKLOG = 4_096;

/** What listens at one address for an HTTP server. */
export interface Listeners {
  readonly address: AddressInfo;
  /** Takes no more connections; resolves when those of all but the server itself have ended. */
  close(): Promise<void>;
}

/**
 * Makes a server listen, with as many sockets as it takes to be quick (`SO_REUSEPORT`, socket(7)).
 *
 * @throws when the address is in use, or cannot be used.
 */
export async function listenAt(server: HttpServer, host: string, port: number): Promise<Listeners> {
  const reusePort = SOCKETS > 1;
  // Sockets that share a port would also share it with those of another gateway: it has to be free.
  if (reusePort && port !== 0) {
    const probe = createServer();
    await listening(probe, { host, port });
    await closed(probe);
  }
  await listening(server, { host, port, reusePort });
  const address = server.address() as AddressInfo;
  const others = await Promise.all(
    Array.from({ length: SOCKETS - 1 }, async () => {
      // As an HTTP server has it.
      const other = createServer({ allowHalfOpen: true, noDelay: true });
      other.on('connection', (socket) => server.emit('connection', socket));
      await listening(other, { host, port: address.port, reusePort });
      return other;
    }),
  );
  return {
    address,
    close: async () => {
      await Promise.all(others.map(closed));
    },
  };
}

async function listening(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { host, port } = options;
  const failed = (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    reject(
      isTaken
        ? new Error(`port ${port} of ${host} is in use: stop what uses it, or set PORT to another`)
        : error,
    );
  };
  server.once('error', failed);
  server.listen({ ...options, backlog: BACKLOG }, resolve);
  await promise;
  server.off('error', failed);
}

async function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}
