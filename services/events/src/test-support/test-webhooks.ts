import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { busHeaders, EVENTS, storedEvent } from '@action-platform/contracts/bus';
import type { Call } from '@action-platform/contracts/calls';
import { type ChangeEvent, changeEventOf } from '@action-platform/contracts/change-events';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { type Received, Receiver, TestPlatform, type TestProcess } from '@action-platform/testing';
import type { z } from 'zod';
import { events } from '../service.ts';
import { newDelivery, type StoredDelivery } from '../webhooks/queue/stored-delivery.ts';

/** The key of a replica that is started without others. */
export const KEY = `k1:${randomBytes(32).toString('base64')}`;

const environment = { WEBHOOK_HTTP_TO_LOOPBACK: 'true' };

/** A webhook that the endpoint got. */
interface Webhook extends Received {
  readonly event: ChangeEvent;
}

/** Replicas of the events service, an endpoint on this machine, and a service that publishes events. */
export class TestWebhooks {
  readonly platform: TestPlatform;
  /** A test sets a Workspace of its own: other tests have events of the same ids. */
  workspaceId = '';
  /** The Collection of the Records in events. */
  collectionId = 'col_1';
  readonly received: Webhook[] = [];
  /** Answers a request; by default with 204. */
  answer = (_received: Webhook, response: ServerResponse): unknown => response.writeHead(204).end();
  #receiver!: Receiver;

  constructor(platform = new TestPlatform()) {
    this.platform = platform;
  }

  /** Starts a replica; the first one also makes the stream. @param more variables of its own */
  async startReplica(keys = KEY, more: Readonly<Record<string, string>> = {}) {
    return await this.platform.startService(events, { ...environment, WEBHOOK_SECRET_KEYS: keys, ...more });
  }

  /** Starts a replica as a process of its own, which a test can kill. */
  async spawnReplica(): Promise<TestProcess> {
    return await this.platform.spawn('events', { ...environment, WEBHOOK_SECRET_KEYS: KEY });
  }

  async start(): Promise<void> {
    this.#receiver = await Receiver.start((received, response) => {
      const webhook = { ...received, event: JSON.parse(received.body) };
      this.received.push(webhook);
      this.answer(webhook, response);
    });
  }

  async stop(): Promise<void> {
    this.#receiver.stop();
    await this.platform.stop();
  }

  /** The URL of the endpoint. */
  get url(): string {
    return this.#receiver.url;
  }

  /** Makes a call as an Owner. */
  async call<Input extends z.ZodObject, Output extends z.ZodType>(
    call: Call<Input, Output>,
    input: z.input<Input>,
  ): Promise<z.output<Output>> {
    const session = JSON.stringify({ workspaceId: this.workspaceId, userId: 'olga' });
    return await this.platform.callAs('gateway', call, input, { [busHeaders.principal]: session });
  }

  /** Creates an endpoint once the stream is there. */
  async create(more: Partial<z.input<typeof webhookRoutes.create.input>> = {}) {
    for (;;) {
      try {
        return await this.call(webhookRoutes.create, { url: this.#receiver.url, ...more });
      } catch (error) {
        if ((error as { code?: string }).code !== 'action_platform_unavailable') throw error;
      }
    }
  }

  /** Stores an event of each of these commits of Records, in one message, as a service does. */
  async publish(
    ...commits: readonly (readonly [record: string, sequence: number])[]
  ): Promise<ChangeEvent[]> {
    const { workspaceId } = this;
    const stored = commits.map(([record, sequence]) =>
      changeEventOf('record-store', {
        workspaceId,
        type: sequence === 1 ? 'record.pushed' : 'record.replaced',
        subject: record,
        distinct: sequence,
        time: new Date(),
        data: {
          collection_id: this.collectionId,
          record_id: record,
          sequence,
          version: sequence,
          state: 'active',
          actor: {},
        },
      }),
    );
    const bus = await this.platform.connect('record-store');
    const message = { workspaceId, id: randomUUID(), body: JSON.stringify(stored), timeoutMs: 5_000 };
    const { sequence } = await bus.streams.store(EVENTS, message);
    bus.publish(storedEvent, { stored: [{ workspace_id: workspaceId, sequence }] });
    return stored;
  }

  /** Stores a delivery to an endpoint whose attempt ended with its process. Resolves with the delivery once a worker has taken up the attempt. */
  async interruptedDelivery(endpointId: string, workspace_id = this.workspaceId): Promise<StoredDelivery> {
    const { db } = await this.platform.database('events');
    const deliveries = db.collection<StoredDelivery>('webhook_deliveries');
    const due_at = new Date(1);
    const claim = { owner: 'ended', begun_at: new Date(0), until: due_at, is_awaited: true } as const;
    const event = { id: 'evt_1', subject: 'rec_1' };
    const row = newDelivery({ _id: endpointId, workspace_id }, event, { order: '1', due_at, claim });
    await deliveries.insertOne(row);
    for (;;) {
      const stored = await deliveries.findOne({ _id: row._id });
      if (stored!.claim === undefined) return stored!;
      await delay(20);
    }
  }

  /** Resolves once the endpoint got so many requests. */
  async until(requests: number): Promise<void> {
    await this.#receiver.until(() => this.received.length >= requests);
  }

  /** Record and sequence of what was received. */
  get commits(): string[] {
    return this.received.map(({ event }) => `${event.subject} ${event.data.sequence}`);
  }
}
