import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many times within the time allowed the connections are looked at. */
const LOOKS = 4;

/** How far a caller has come with its answers when it was last seen to take something. */
interface Progress {
  readonly taken: number;
  readonly since: number;
}

/**
 * Closes the connections of a server whose callers do not read: an answer is waiting to be sent, and the connection has
 * taken none of its bytes for `stallMs`. Such an answer would keep its place in the gateway, and what it is read from,
 * for as long as the caller likes. How slowly a caller reads does not matter, nor does an answer that its service has
 * not gone on with yet.
 */
export function closeStalledAnswers(server: Server, stallMs: number): void {
  const waiting = new Map<Socket, Progress | undefined>();
  server.on('connection', (socket) => {
    waiting.set(socket, undefined);
    socket.once('close', () => waiting.delete(socket));
  });
  const looking = setInterval(() => {
    const now = performance.now();
    for (const [socket, last] of waiting) {
      const taken = takenFrom(socket);
      if (socket.writableLength === 0) waiting.set(socket, undefined);
      else if (last?.taken !== taken) waiting.set(socket, { taken, since: now });
      else if (now - last.since >= stallMs) socket.destroy();
    }
  }, stallMs / LOOKS).unref();
  server.once('close', () => clearInterval(looking));
}

/**
 * How many bytes a connection has taken so far. Node tells those of whole writes; how much is left of the one under way
 * is only known to the handle, where Node's own `setTimeout` looks too. That one will not do here, as it is put off by
 * whatever the caller sends.
 */
function takenFrom(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null },
): number {
  const left = socket._handle?.writeQueueSize ?? 0;
  return socket.bytesWritten - socket.writableLength - left;
}
