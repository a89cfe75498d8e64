import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { paths } from '@action-platform/deployment';
import { freePort, type LocalServer, startNatsServer } from '@action-platform/local-servers';
import type { LocalPlatform } from '../local-platform.ts';

/** How long Prometheus may take to see both servers, in milliseconds. */
const SEEN_MS = 5_000;

/** Two nats-servers that are a cluster, and a process that is connected to the first one. */
export class SmallCluster {
  readonly #lost: () => Promise<LocalServer>;
  readonly #servers: LocalServer[];
  readonly #leave: () => Promise<void>;

  private constructor(servers: LocalServer[], lost: () => Promise<LocalServer>, leave: () => Promise<void>) {
    this.#servers = servers;
    this.#lost = lost;
    this.#leave = leave;
  }

  /** @param join starts the process, and returns its end. */
  static async start(
    { keys, root, logs }: LocalPlatform['places'],
    joinBus: (natsUrl: string) => Promise<() => Promise<void>>,
  ): Promise<SmallCluster> {
    const users = readFileSync(join(keys, paths.natsServerConfig), 'utf8');
    const ports = [await freePort(), await freePort()];
    const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
    const [first, second] = await Promise.all(
      ports.map(async (port, index) => {
        const name = `small-${index}`;
        const cluster = { name: 'small', listen: `127.0.0.1:${port}`, routes };
        const config = `${users}\nserver_name: ${name}\ncluster: ${JSON.stringify(cluster)}\n`;
        const at = {
          port: await freePort(),
          configFile: join(root, name, 'nats-server.conf'),
          storeDir: join(root, name, 'jetstream'),
          logFile: join(logs, `${name}.log`),
        };
        return () => startNatsServer({ config, ...at });
      }),
    );
    const servers = [await first!(), await second!()];
    const leave = await joinBus(servers[0]!.url);
    await delay(SEEN_MS);
    return new SmallCluster(servers, second!, leave);
  }

  /** Ends the second server. @returns a function that starts it again */
  async loseMember(): Promise<() => Promise<void>> {
    await this.#servers[1]!.stop();
    return async () => {
      this.#servers[1] = await this.#lost();
    };
  }

  async stop(): Promise<void> {
    await this.#leave();
    await Promise.all(this.#servers.map((server) => server.stop()));
  }
}
