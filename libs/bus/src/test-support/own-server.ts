import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BusUser } from '@action-platform/contracts/services';
import { freePort, type LocalServer, startNatsServer } from '@action-platform/local-servers';
import { makeTestFolder, reloadNatsServer, withoutJetStream } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { type Bus, connectBus } from '../bus.ts';
import { createBusKeys, natsServerConfig, publicKeysOf } from '../server/server-config.ts';

const maxMessageBytes = 65_536;

/** A NATS server of a test file's own, for the time of its tests, which they restart or make reload its configuration. */
export class OwnServer {
  readonly #folder = makeTestFolder();
  readonly #keys = createBusKeys();
  readonly #log = join(this.#folder, 'nats.log');
  readonly #opened: Bus[] = [];
  #port = 0;
  #server: LocalServer | undefined;

  constructor() {
    beforeAll(async () => {
      this.#port = await freePort();
      await this.#start(true);
    });
    afterAll(async () => {
      await Promise.all(this.#opened.map((bus) => bus.drain()));
      await this.#server!.stop();
      rmSync(this.#folder, { recursive: true });
    });
  }

  /** Connects as a part of the platform. */
  async connect(user: BusUser): Promise<Bus> {
    const { url } = this.#server!;
    const bus = await connectBus({ url, user, seed: this.#keys[user].seed, maxMessageBytes });
    this.#opened.push(bus);
    return bus;
  }

  /** Restarts it, with what it has stored or without JetStream. */
  async restart({ hasJetStream }: { hasJetStream: boolean }): Promise<void> {
    await this.#server!.stop();
    await this.#start(hasJetStream);
  }

  /** Resolves when it has read its configuration again. */
  async reload(): Promise<void> {
    await reloadNatsServer(this.#server!.pid, this.#log);
  }

  async #start(hasJetStream: boolean): Promise<void> {
    const config = natsServerConfig(publicKeysOf(this.#keys), maxMessageBytes);
    this.#server = await startNatsServer({
      config: hasJetStream ? config : withoutJetStream(config),
      configFile: join(this.#folder, 'nats.conf'),
      logFile: this.#log,
      port: this.#port,
      ...(hasJetStream && { storeDir: join(this.#folder, 'store') }),
    });
  }
}
