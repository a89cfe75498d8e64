import { type BusUser, operationSubject, pushRecord } from '@action-platform/contracts';
import { startTestBus, type TestBus } from '@action-platform/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Bus, connectBus } from '../bus.ts';
import { type BusOptions, connectToServer } from '../connect.ts';
import type { BusRequestOptions } from '../request/options.ts';
import type { BusReply } from '../request/reply.ts';
import type { BusAnswer, BusRequest } from '../serve/server.ts';

/** A subject that the gateway may call and record-store serves. */
export const subject = operationSubject(pushRecord);

export const ok = (body: string): BusAnswer => ({ status: 200, body: Buffer.from(body) });

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Waits for a condition on what messages bring. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Sends each request in a message of its own, so that every replica gets some: those of one turn go to one replica. */
export function requestOneByOne(
  bus: Bus,
  names: readonly string[],
  options: BusRequestOptions,
): Promise<BusReply>[] {
  return names.map((name) => {
    const answer = bus.request(subject, name, options);
    void bus.flush();
    return answer;
  });
}

/** A NATS server of a test file's own, and the connections that its tests make. */
export class TestConnections {
  /** The server's reports to the connections, such as a refused permission. */
  readonly warnings: string[] = [];
  #server: TestBus | undefined;
  readonly #opened: Bus[] = [];
  readonly #openedRaw: NatsConnection[] = [];

  async start(): Promise<void> {
    this.#server = await startTestBus();
  }

  /** Where the server listens. */
  get url(): string {
    return this.#server!.url;
  }

  /** The nkey seed of a user. */
  seedOf(user: BusUser): string {
    return this.#server!.environment(user).NATS_NKEY_SEED!;
  }

  /** Connects as a part of the platform, by default directly to the server. */
  async connect(
    user: BusUser,
    options: Partial<Pick<BusOptions, 'url' | 'onEvent' | 'hedgeAfterMs'>> = {},
  ): Promise<Bus> {
    const bus = await connectBus({ ...this.#options(user), ...options });
    this.#opened.push(bus);
    return bus;
  }

  /** A replica of record-store that answers requests on `subject`, and a gateway. */
  async pair(
    answer: (request: BusRequest) => Promise<BusAnswer>,
  ): Promise<{ readonly service: Bus; readonly gateway: Bus }> {
    const [service, gateway] = [await this.connect('record-store'), await this.connect('gateway')];
    service.serve(subject, 'record-store', answer);
    await service.flush();
    return { service, gateway };
  }

  /** Connects with the rights of `user` and nothing of the bus's own manners. */
  async connectRaw(user: BusUser): Promise<NatsConnection> {
    const nc = await connectToServer(this.#options(user));
    this.#openedRaw.push(nc);
    return nc;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#opened.map((bus) => bus.drain()));
    await Promise.all(this.#openedRaw.map((nc) => nc.close()));
    await this.#server?.stop();
  }

  #options(user: BusUser): BusOptions {
    return {
      url: this.url,
      user,
      seed: this.seedOf(user),
      maxMessageBytes: 1024,
      onEvent: ({ message }) => this.warnings.push(message),
    };
  }
}
