import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const retryAfterMs = 20;

/**
 * Connects to a port of 127.0.0.1 as soon as something listens there.
 *
 * @throws AbortError when the signal aborts before
 */
export async function connectWhenListening(port: number, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', signal });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      await sleep(retryAfterMs, undefined, { signal });
    }
  }
}
