import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below what Linux and macOS hand out for outgoing connections: a server that comes back after a crash must find its
 * port free, and a client that keeps trying to reach it from a handed-out port could end up connected to itself.
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
