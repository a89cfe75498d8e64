import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BusUser } from '@action-platform/contracts/services';
import { freePort, type LocalServer, startNatsServer } from '@action-platform/local-servers';
import { makeTestFolder, withoutJetStream } from '@action-platform/testing';
import { Bus } from '../bus.ts';
import { connectToServer } from '../nats/connect.ts';
import { createBusKeys, natsServerConfig, publicKeysOf } from '../server/server-config.ts';
import { breakableLine } from './breakable-line.ts';

const MEMBERS = [0, 1, 2];
const MESSAGE_BYTES = 1024;

/** A cluster of three NATS servers; the first can be partitioned from the others. */
export class TestCluster {
  readonly #folder = makeTestFolder();
  readonly #keys = createBusKeys();
  #servers: readonly LocalServer[] = [];
  #lines: readonly Awaited<ReturnType<typeof breakableLine>>[] = [];
  readonly #opened: Bus[] = [];

  async start(): Promise<void> {
    const ports = await Promise.all(MEMBERS.map(() => freePort()));
    const url = (member: number) => `nats://127.0.0.1:${ports[member]}`;
    this.#lines = await Promise.all([breakableLine(url(0)), breakableLine(url(0))]);
    const [line, other] = this.#lines.map((each) => each.url);
    const routes = [[], [line], [other, url(1)]];
    this.#servers = await Promise.all(
      MEMBERS.map((member) => this.#startServer(member, ports[member]!, routes[member]!)),
    );
  }

  /** Connects to one of the servers as a part of the platform that has the addresses of all. */
  async connect(user: BusUser, member: number): Promise<Bus> {
    const url = this.#servers.map((server) => server.url).join(',');
    const options = { url, user, seed: this.#keys[user].seed, maxMessageBytes: MESSAGE_BYTES };
    for (;;) {
      const nc = await connectToServer(options);
      // The client chooses a server at random.
      if (nc.info?.port === this.#servers[member]!.port && nc.info.connect_urls?.length === MEMBERS.length) {
        const bus = new Bus(nc, options);
        this.#opened.push(bus);
        return bus;
      }
      await nc.close();
    }
  }

  /** Breaks all connections between the first server and the others, until the end. */
  async partition(): Promise<void> {
    await Promise.all(this.#lines.map((line) => line.close()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#opened.map((bus) => bus.drain()));
    await Promise.all(this.#servers.map((server) => server.stop()));
    rmSync(this.#folder, { recursive: true });
  }

  async #startServer(member: number, port: number, routes: readonly (string | undefined)[]) {
    // The members know each other by no other address, so they connect only as `routes` says.
    const cluster = { name: 'test', listen: `127.0.0.1:${port}`, advertise: '127.0.0.1:1', routes };
    const users = natsServerConfig(publicKeysOf(this.#keys), MESSAGE_BYTES);
    return await startNatsServer({
      config: `${withoutJetStream(users)}\ncluster: ${JSON.stringify(cluster)}\n`,
      configFile: join(this.#folder, `${member}.conf`),
      logFile: join(this.#folder, `${member}.log`),
    });
  }
}
