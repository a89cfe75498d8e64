import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below what Linux and macOS hand out for outgoing connections. A server that comes back after a crash must find its
 * port free. And a client that keeps trying to reach it from a handed-out port could end up connected to itself.
 */
const [lowest, highest] = [10_000, 32_000];

/** A TCP port that nothing listens on at 127.0.0.1 now: the preferred one if it will do. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}

const retryAfterMs = 20;

/**
 * Connects to a port as soon as something listens there.
 *
 * @throws AbortError when the signal aborts before
 */
export async function connectWhenListening(
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host, signal });
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      await sleep(retryAfterMs, undefined, { signal });
    }
  }
}
