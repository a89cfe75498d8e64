import type { Socket } from 'node:net';

const CHUNK_BYTES = 64 * 1024;

/** Writes a text again and again, as fast as the other side reads, until the connection ends. */
export function flood(socket: Socket, text: string): void {
  const chunk = text.repeat(Math.ceil(CHUNK_BYTES / text.length));
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('error', () => {}).on('drain', more);
  more();
}
