import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';

/** Longer than any answer may take, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** How long the sender of a partial request waits for more bytes, in milliseconds. */
const QUIET_MS = 40;

/** The writes to a connection. */
export interface Talk {
  /** The bytes of each write (U+0000 to U+00FF). */
  readonly writes: readonly string[];
  /** Whether the writes are one whole request with `Connection: close`. */
  readonly isWhole: boolean;
}

/**
 * Writes to a new connection and resolves with the received bytes once it is closed. After a partial request the sender
 * closes it as soon as no more bytes come.
 *
 * @throws AssertionError when the connection stays open.
 */
export async function talk(url: string, { writes, isWhole }: Talk): Promise<Buffer> {
  const received: Buffer[] = [];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // The bytes received before a reset count.
  socket.on('error', () => {});
  const closed = once(socket, 'close').then(() => true);
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  for (const bytes of writes) {
    socket.write(Buffer.from(bytes, 'latin1'));
    if (writes.length > 1) await setImmediate();
  }
  if (!isWhole) {
    for (let bytes = -1; bytes !== socket.bytesRead && !socket.destroyed; ) {
      bytes = socket.bytesRead;
      await delay(QUIET_MS);
    }
    socket.end();
  }
  const timeout = new AbortController();
  const isClosed = await Promise.race([closed, delay(TIMEOUT_MS, false, { signal: timeout.signal })]);
  timeout.abort();
  socket.destroy();
  assert(
    isClosed,
    `after ${TIMEOUT_MS} ms the connection is still open, with ${socket.bytesRead} bytes received`,
  );
  return Buffer.concat(received);
}
