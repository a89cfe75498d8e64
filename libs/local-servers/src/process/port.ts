import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Below the ephemeral ports of Linux and macOS: a restarted server must find its port free, and a client that retries from an
 * ephemeral port could connect to itself.
 */
const [lowest, highest] = [10_000, 32_000];

/** A free TCP port of 127.0.0.1: the preferred one if possible. */
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
