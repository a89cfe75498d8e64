import { createConnection, createServer, type Socket } from 'node:net';
import { listen } from '@action-platform/testing';

export type BreakableLine = Awaited<ReturnType<typeof breakableLine>>;

/** A way to the NATS server that can be cut. */
export async function breakableLine(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let handshakesToBreak = 0;
  let isHanging = false;
  const server = createServer((socket) => {
    const onward = createConnection(Number(target.port), target.hostname);
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        sockets.delete(end);
        socket.destroy();
        onward.destroy();
      });
    }
    if (isHanging) return;
    socket.pipe(onward).pipe(socket);
    // The server sends first, and the client has to answer.
    onward.once('data', () => {
      if (handshakesToBreak-- > 0) setImmediate(() => socket.destroy());
    });
  });
  const port = await listen(server);
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `nats://127.0.0.1:${port}`,
    breakAll,
    /** From now on no byte passes, on open connections and new ones, and no connection is closed. */
    hang: () => {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    /** Breaks this number of further connections, each after the first bytes of the server. */
    breakHandshakes: (count: number) => {
      handshakesToBreak = count;
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
