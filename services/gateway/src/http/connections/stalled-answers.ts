import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often a connection is checked within the time allowed. */
const CHECKS = 4;

/** The bytes that a caller had taken at the last change. */
interface Progress {
  readonly taken: number;
  readonly since: number;
}

/**
 * Closes connections whose callers stop reading: the socket has unsent bytes, and the caller took no byte for `stallMs`.
 * A caller could otherwise keep its answer, and the source of that, in flight for as long as it likes. Slow callers stay, and so
 * do those whose service pauses.
 */
export function closeStalledAnswers(server: Server, stallMs: number): void {
  const sockets = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket) => {
    sockets.set(socket, undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  const checking = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of sockets) {
      const taken = takenFrom(socket);
      if (socket.writableLength === 0) sockets.set(socket, undefined);
      else if (last?.taken !== taken) sockets.set(socket, { taken, since: now });
      else if (now - last.since >= stallMs) socket.destroy();
    }
  }, stallMs / CHECKS).unref();
  server.once('close', () => clearInterval(checking));
}

/** How many bytes the operating system has taken for the caller of a connection, in whole writes. */
function takenFrom(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
