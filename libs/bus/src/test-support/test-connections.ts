import { operationSubject } from '@action-platform/contracts/calls';
import { pushRecord } from '@action-platform/contracts/operations';
import type { BusUser } from '@action-platform/contracts/services';
import { startTestBus, type TestBus } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type { BusAnswer, BusRequest } from '../answer.ts';
import { type Bus, connectBus } from '../bus.ts';
import type { BusReply } from '../long-answers/reply.ts';
import { type BusOptions, connectToServer } from '../nats/connect.ts';
import type { BusRequestOptions } from '../request.ts';
import { type BreakableLine, breakableLine } from './breakable-line.ts';

/** A subject that the gateway may call and record-store serves. */
export const subject = operationSubject(pushRecord);

export const ok = (body: string): BusAnswer => ({ status: 200, body: Buffer.from(body) });

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** A long body. @param onEnd called when its reader has the end, or stops before it. */
export async function* chunks(count: number, size: number, onEnd: () => void = () => {}) {
  try {
    for (let i = 0; i < count; i++) yield new Uint8Array(size).fill(i % 256);
  } finally {
    onEnd();
  }
}

/** The code of a failed request, by its effect: whether a write was done is unknown, and a read can be repeated. */
export const failures = [
  ['write', 'action_infrastructure_failure'],
  ['read', 'action_platform_unavailable'],
] as const;

/** Waits for a condition on what messages bring. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

/** Sends each request in a message of its own, so that every replica gets some: the requests of one tick go to one replica. */
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

/** A bus of a test file's own, for the time of its tests. Connections of a test are closed before the next one. */
export class TestConnections {
  /** The server's reports to the connections, such as a refused permission. */
  readonly warnings: string[] = [];
  #server: TestBus | undefined;
  /** How to close each connection. */
  readonly #opened: (() => Promise<unknown>)[] = [];
  /** How many of them were opened before the first test, for all. */
  #shared: number | undefined;

  constructor() {
    beforeAll(async () => {
      this.#server = await startTestBus();
    });
    beforeEach(async () => {
      this.#shared ??= this.#opened.length;
      await this.#closeFrom(this.#shared);
    });
    afterAll(async () => {
      await this.#closeFrom(0);
      await this.#server?.stop();
    });
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
    this.#opened.push(() => bus.drain());
    return bus;
  }

  /** A replica of record-store that answers requests on a subject. */
  async replica(
    answer: (request: BusRequest) => Promise<BusAnswer>,
    options: Partial<Pick<BusOptions, 'url'>> = {},
  ): Promise<Bus> {
    const service = await this.connect('record-store', options);
    service.serve(subject, 'record-store', answer);
    await service.flush();
    return service;
  }

  /** A replica of record-store that answers requests on `subject`, and a gateway. */
  async pair(
    answer: (request: BusRequest) => Promise<BusAnswer>,
  ): Promise<{ readonly service: Bus; readonly gateway: Bus }> {
    return { service: await this.replica(answer), gateway: await this.connect('gateway') };
  }

  /** Connects with the rights of `user` and nothing of the bus's own manners. */
  async connectRaw(user: BusUser): Promise<NatsConnection> {
    const nc = await connectToServer(this.#options(user));
    this.#opened.push(() => nc.close());
    return nc;
  }

  /** A replica of record-store that takes requests, as `take` says, and answers none. */
  async hangingReplica(take: (message: Msg) => void = () => {}): Promise<NatsConnection> {
    const nc = await this.connectRaw('record-store');
    nc.subscribe(subject, { queue: 'record-store', callback: (_error, message) => take(message) });
    await nc.flush();
    return nc;
  }

  /** A way to the server that can be cut. */
  async breakableLine(): Promise<BreakableLine> {
    const line = await breakableLine(this.url);
    this.#opened.push(() => line.close());
    return line;
  }

  async #closeFrom(first: number): Promise<void> {
    await Promise.all(this.#opened.splice(first).map((close) => close()));
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
