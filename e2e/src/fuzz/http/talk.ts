import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { requireThat } from '../target.ts';

/** Longer than any answer may take, in milliseconds. */
const PATIENCE_MS = 30_000;
/** A caller whose request may never be whole waits so long for something to come, in milliseconds. */
const QUIET_MS = 40;

/** What is written to a connection. */
export interface Talk {
  /** The bytes of each write (U+0000 to U+00FF). */
  readonly writes: readonly string[];
  /** Whether it is one whole request that asks for the connection to be closed after its answer. */
  readonly isWhole: boolean;
}

/**
 * Writes to a connection of its own, and resolves with what came back once it is closed. A caller who did not send a
 * whole request closes it when nothing comes any more.
 *
 * @throws Finding when the connection stays open.
 */
export async function talk(url: string, { writes, isWhole }: Talk): Promise<Buffer> {
  const received: Buffer[] = [];
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // A connection that is reset brought what it brought.
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
  const patience = new AbortController();
  const isClosed = await Promise.race([closed, delay(PATIENCE_MS, false, { signal: patience.signal })]);
  patience.abort();
  socket.destroy();
  requireThat(
    isClosed,
    `after ${PATIENCE_MS} ms the connection is still open, with ${socket.bytesRead} bytes received`,
  );
  return Buffer.concat(received);
}
