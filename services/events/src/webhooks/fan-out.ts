import { type Bus, readOn, type StoredMessage, type StreamProgress } from '@action-platform/bus';
import { type ChangeEvent, EVENTS, inBackground, type Timed } from '@action-platform/contracts';
import {
  LeasedDocument,
  openStored,
  type StoredDocuments,
  type StoredLease,
  within,
} from '@action-platform/mongo';
import { gauge } from '@action-platform/telemetry';
import type { Collection, Db } from 'mongodb';
import { eventsIn } from '../feed/events-in.ts';
import { readPage } from '../feed/read-page.ts';
import { isFor } from '../feed/visibility.ts';
import type { Deliveries } from './deliveries.ts';
import type { Endpoints } from './endpoints.ts';
import { orderOf, positionOf } from './order.ts';
import { newDelivery, type StoredDelivery } from './stored-delivery.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';

/** How far the stream of events was read for all endpoints. */
export interface StoredFanOut {
  readonly _id: 'fan_out';
  readonly lease?: StoredLease;
  /** Every event before it is in the queue for each endpoint that is not behind. */
  readonly read?: StreamProgress;
  /** Counts the streams that were read. */
  readonly epoch?: number;
  /** Counts the changes of endpoints. */
  readonly changes?: number;
}

export const storedFanOut: StoredDocuments<StoredFanOut> = {
  collection: 'webhook_fan_out',
  shardKey: { unsharded: 'one document for all endpoints' },
};

/** How long a replica that died keeps the others from reading, in milliseconds. */
const LEASE_MS = 5_000;
/** The pause between two reads that no announcement ends, and while another replica reads, in milliseconds. */
const PAUSE_MS = 1_000;
/** The most messages of a read, and about the most bytes: those of ten endpoints for each of its events are in memory at once. */
const READ = { limit: 100, maxBytes: 256 * 1024 };
/** How many events of an endpoint wait in the queue. It falls behind when there are more, and catches up while there are fewer than half. */
const WAITING_MAX = 1_000;
/** How many events an endpoint that is behind gets at a time, and how often it is looked at while too many wait, in milliseconds. */
const PAGE = 256;
const BEHIND_LOOK_MS = 5_000;

/** The pause before a server is asked again that is behind the others, in milliseconds. */
const BEHIND_PAUSE_MS = 50;

/** An enabled endpoint, and what it gets. */
interface Receiver {
  readonly endpoint: StoredEndpoint;
  readonly isWanted: (event: ChangeEvent) => boolean;
  isBehind: boolean;
  /** How many deliveries were added since those that wait were counted. */
  added: number;
  /** When it is looked at next, while it is behind. */
  looksAt: number;
}

interface FanOutOptions {
  readonly bus: Bus;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  /** Called with the deliveries that may be due now. */
  readonly onAdded: (added: readonly StoredDelivery[]) => void;
}

/** The collection of the fan-out, which counts the changes of endpoints too. */
export function openFanOut(db: Db): Collection<StoredFanOut> {
  return openStored(db, storedFanOut);
}

/** Has the fan-out of whichever replica read the endpoints again before the next event. */
export async function noteChange(stored: Collection<StoredFanOut>): Promise<void> {
  await stored.updateOne(
    { _id: 'fan_out' },
    { $inc: { changes: 1 } },
    { upsert: true, ...within(inBackground) },
  );
}

/**
 * Adds a delivery to the queue for each event and each endpoint that wants it: in one replica at a time, under a lease. It stores how far
 * it has read after the deliveries, so a replica that takes over repeats some, to no effect.
 *
 * It reads the endpoints after the events, if any has changed: an event that is stored after a change was acknowledged meets the endpoint
 * as it is then.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #stored: Collection<StoredFanOut>;
  readonly #state: LeasedDocument<StoredFanOut>;
  /** The enabled endpoints by Workspace, as of a number of changes. */
  #receivers = new Map<string, Receiver[]>();
  #changes: number | undefined;
  /** Whether this replica reads the stream. */
  isOurs = false;
  /** The time since which the stream is not read to its end; undefined while another replica reads it. */
  #readUpTo: number | undefined = Date.now();

  private constructor(
    options: FanOutOptions,
    stored: Collection<StoredFanOut>,
    state: LeasedDocument<StoredFanOut>,
  ) {
    this.#options = options;
    this.#stored = stored;
    this.#state = state;
    gauge('webhook.lag', () => (this.#readUpTo === undefined ? 0 : Date.now() - this.#readUpTo) / 1000);
  }

  static async open(options: FanOutOptions, stored: Collection<StoredFanOut>): Promise<FanOut> {
    return new FanOut(options, stored, await LeasedDocument.open(stored, 'fan_out', LEASE_MS));
  }

  /** Reads once. @returns for how long nothing is to do, in milliseconds */
  async turn(): Promise<number> {
    const begunAt = Date.now();
    const held = await this.#state.hold();
    if (held === undefined) {
      this.isOurs = false;
      this.#readUpTo = undefined;
      return PAUSE_MS;
    }
    const { bus, deliveries, onAdded } = this.#options;
    const { messages, before, isAnother, isAtEnd } = await readOn(bus.streams, EVENTS, held.read, READ);
    const epoch = (held.epoch ?? 0) + (isAnother ? 1 : 0);
    await this.#readReceivers();
    if (!this.isOurs) await deliveries.repair();
    this.isOurs = true;
    const added = await this.#deliveriesOf(messages, epoch);
    await deliveries.add(added);
    onAdded(added);
    const read = { ...before, sequence: messages.at(-1)?.sequence ?? before.sequence };
    // Without deliveries, the position can wait: to read again costs less than a write for each read.
    const isNews = added.length > 0 || isAnother;
    if (isNews) await this.#state.set({ read, epoch });
    else if (messages.length > 0) this.#state.setLater({ read, epoch });
    const isCatchingUp = await this.#catchUp(read, epoch);
    this.#readUpTo = isAtEnd ? begunAt : (messages[0]?.storedAt.getTime() ?? begunAt);
    if (isCatchingUp) return 0;
    if (isAtEnd) return PAUSE_MS;
    return messages.length === 0 ? BEHIND_PAUSE_MS : 0;
  }

  /** The number of the stream that is read, whichever replica does. */
  async epoch(timed: Timed): Promise<number> {
    return (await this.#stored.findOne({ _id: 'fan_out' }, within(timed)))?.epoch ?? 0;
  }

  /** After a failure, the next turn reads everything again. */
  forget(): void {
    this.#state.forget();
    this.#changes = undefined;
    this.isOurs = false;
  }

  /** Lets another replica read at once. */
  async end(): Promise<void> {
    await this.#state.end();
  }

  async #readReceivers(): Promise<void> {
    const { changes = 0 } = (await this.#stored.findOne({ _id: 'fan_out' }, within(inBackground))) ?? {};
    if (changes === this.#changes) return;
    const former = new Map([...this.#receivers.values()].flat().map((one) => [one.endpoint._id, one]));
    const enabled = await this.#options.endpoints.enabled(inBackground);
    const receivers = enabled.map((endpoint): Receiver => {
      const { types, collection_ids: collectionIds } = endpoint;
      const filter = { types: types ?? undefined, collectionIds: collectionIds ?? undefined };
      const wants = isFor({ principal: { userId: '', role: 'owner' }, granted: undefined, ...filter });
      return {
        endpoint,
        // Its own failures would make it fail on.
        isWanted: (event) => event.subject !== endpoint._id && wants(event),
        isBehind: endpoint.behind !== undefined,
        added: former.get(endpoint._id)?.added ?? WAITING_MAX,
        looksAt: 0,
      };
    });
    this.#receivers = Map.groupBy(receivers, ({ endpoint }) => endpoint.workspace_id);
    this.#changes = changes;
  }

  /** The deliveries of messages. Endpoints for which too many wait fall behind instead. */
  async #deliveriesOf(messages: readonly StoredMessage[], epoch: number): Promise<StoredDelivery[]> {
    const deliveries: StoredDelivery[] = [];
    const behind = new Map<StoredEndpoint, string>();
    for (const message of messages) {
      // The messages of a Workspace without endpoints are not even parsed.
      const receivers = this.#receivers.get(message.workspaceId ?? '') ?? [];
      if (receivers.length === 0) continue;
      for (const receiver of receivers) {
        receiver.isBehind ||= await this.#isFull(receiver);
        if (receiver.isBehind && !behind.has(receiver.endpoint))
          behind.set(receiver.endpoint, orderOf(epoch, { sequence: message.sequence, index: 0 }));
      }
      for (const [index, event] of eventsIn(message).entries()) {
        const wanting = receivers.filter((one) => !one.isBehind && event && one.isWanted(event));
        if (wanting.length === 0) continue;
        const order = orderOf(epoch, { sequence: message.sequence, index });
        deliveries.push(...wanting.map((receiver) => this.#deliveryFor(receiver, event!, order)));
      }
    }
    // Before the position is stored: nothing is skipped that the endpoint does not get later.
    await this.#options.endpoints.fallBehind(behind, inBackground);
    return deliveries;
  }

  #deliveryFor(receiver: Receiver, event: ChangeEvent, order: string): StoredDelivery {
    receiver.added++;
    const { _id: endpointId, workspace_id: workspaceId } = receiver.endpoint;
    return newDelivery({ workspaceId, endpointId, event, text: JSON.stringify(event), order });
  }

  async #isFull(receiver: Receiver): Promise<boolean> {
    if (receiver.added < WAITING_MAX) return false;
    if (await this.#options.deliveries.hasWaiting(receiver.endpoint, WAITING_MAX)) return true;
    receiver.added = 0;
    return false;
  }

  /** Adds the next events of endpoints that are behind. @returns whether one may have more now */
  async #catchUp(read: StreamProgress, epoch: number): Promise<boolean> {
    let isMore = false;
    const now = performance.now();
    for (const receiver of [...this.#receivers.values()].flat()) {
      if (!receiver.isBehind || now < receiver.looksAt) continue;
      receiver.looksAt = now + BEHIND_LOOK_MS;
      if (await this.#options.deliveries.hasWaiting(receiver.endpoint, WAITING_MAX / 2)) continue;
      receiver.looksAt = 0;
      isMore = true;
      await this.#addPage(receiver, read, epoch);
    }
    return isMore;
  }

  /**
   * Adds the next events of an endpoint that is behind. Its deliveries from these events on are held, or were never added, so each lane has
   * them in their order. They are due once the endpoint is no longer behind them.
   */
  async #addPage(receiver: Receiver, read: StreamProgress, epoch: number): Promise<void> {
    const { bus, endpoints, deliveries, onAdded } = this.#options;
    const { isWanted } = receiver;
    const { _id, workspace_id: workspaceId } = receiver.endpoint;
    const endpoint = (await endpoints.byId([_id], inBackground)).get(_id);
    receiver.isBehind = endpoint?.behind !== undefined;
    if (endpoint?.behind === undefined) return;
    const from = positionOf(endpoint.behind.from, epoch);
    const page = await readPage(bus, { workspaceId, from, limit: PAGE, isWanted });
    let next = page.next;
    if (page.isAtEnd) {
      const end = await bus.streams.nothingUpTo(EVENTS, { workspaceId, from: next.sequence });
      if (end >= next.sequence) next = { sequence: end + 1, index: 0 };
    }
    const orders = page.positions.map(({ sequence, index }) =>
      orderOf(epoch, { sequence, index: index - 1 }),
    );
    const added = page.events.map((event, n) => this.#deliveryFor(receiver, event, orders[n]!));
    const lost = await deliveries.unhold(endpoint, orders[0] ?? orderOf(epoch, next));
    await deliveries.add(added, true);
    const isDone = next.sequence > read.sequence;
    // With the lease, `read` is the position up to which events may have been skipped; each later skip makes `catchUp` fail.
    await this.#state.set({ read, epoch });
    if (!(await endpoints.catchUp(endpoint, isDone ? undefined : orderOf(epoch, next), inBackground))) return;
    receiver.isBehind = !isDone;
    // The worker may have held some that it claimed after they were added.
    const held = await deliveries.unhold(endpoint, orderOf(epoch, next));
    const queued = [...lost, ...added, ...held];
    await deliveries.promote(queued);
    onAdded(queued);
  }
}
