import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../listen.ts';
import { until } from '../until.ts';

/** How often the balancer polls the readiness of each gateway, in milliseconds. */
const POLL_MS = 100;

/** A layer 4 balancer, which gives each new connection to a gateway that is ready, and never inspects its bytes. */
export interface Balancer {
  readonly url: string;
  /** How many connections gateways refused despite their last readiness. */
  readonly refused: number;
  /** Breaks all its connections. */
  cut(): void;
  /** Closes the balancer and all its connections. */
  close(): Promise<void>;
}

/** Starts a balancer for these gateways, on a free port. */
export async function startBalancer(gateways: readonly string[]): Promise<Balancer> {
  const ready = new Set<string>(gateways);
  const sockets = new Set<Socket>();
  let next = 0;
  let refused = 0;
  const choose = () => {
    const choice = gateways.filter((gateway) => ready.has(gateway));
    return new URL((choice.length > 0 ? choice : gateways)[next++ % (choice.length || gateways.length)]!);
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const { hostname, port } = choose();
    const gateway = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    gateway.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') refused++;
    });
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ] as const) {
      sockets.add(one);
      // A reset on one side resets the other side too.
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  const polling = setInterval(() => {
    for (const gateway of gateways) {
      void isReady(gateway).then((is) => (is ? ready.add(gateway) : ready.delete(gateway)));
    }
  }, POLL_MS);
  const port = await listen(server);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get refused() {
      return refused;
    },
    cut,
    close: async () => {
      clearInterval(polling);
      cut();
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      await promise;
    },
  };
}

/** How long to wait after all gateways are ready, in milliseconds. */
const REST_MS = 3_000;

/** Resolves a while after all gateways are ready. @throws Error with the others when some are not in time */
export async function untilWell(gateways: readonly string[], withinMs?: number): Promise<void> {
  let ill: readonly string[] = gateways;
  const areWell = async () => {
    const ready = await Promise.all(gateways.map(isReady));
    ill = gateways.filter((_, index) => !ready[index]);
    return ill.length === 0;
  };
  await until(() => `ready gateways, but ${ill.join(', ')} not`, areWell, {
    pollMs: POLL_MS,
    ...(withinMs !== undefined && { withinMs }),
  });
  await delay(REST_MS);
}

/** Whether a gateway reports that it and its dependencies are ready. */
async function isReady(gateway: string): Promise<boolean> {
  try {
    const response = await fetch(`${gateway}/readyz`, { signal: AbortSignal.timeout(POLL_MS * 20) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
