import { type Bus, readOn, type StoredMessage, type StreamProgress } from '@action-platform/bus';
import { EVENTS } from '@action-platform/contracts/bus';
import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { type ChangeEvent, eventsIn } from '@action-platform/contracts/change-events';
import { failureLevel } from '@action-platform/contracts/errors';
import { takesType } from '@action-platform/contracts/resources';
import {
  LeasedDocument,
  LeaseTaken,
  openStored,
  type StoredDocuments,
  type StoredLease,
} from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import { counts, gauge } from '@action-platform/telemetry';
import type { Db } from 'mongodb';
import { readPage } from '../../feed/read-page.ts';
import { isFor } from '../../feed/visibility.ts';
import type { Endpoints } from '../endpoints/endpoints.ts';
import type { EndpointId, StoredEndpoint } from '../endpoints/stored-endpoint.ts';
import type { Deliveries } from './deliveries.ts';
import { orderOf, positionOf } from './order.ts';
import { endpointOf, newDelivery, type StoredDelivery } from './stored-delivery.ts';

const busy = counts('work.busy');

/** How far the stream of events was read for all endpoints. */
export interface StoredFanOut {
  readonly _id: 'fan_out';
  readonly lease?: StoredLease;
  /** Every event before it is in the queue for each endpoint that is not behind. */
  readonly read?: StreamProgress;
  /** Counts the streams that were read. */
  readonly epoch?: number;
}

export const storedFanOut: StoredDocuments<StoredFanOut> = {
  collection: 'webhook_fan_out',
  shardKey: { unsharded: 'one document for all endpoints' },
};

/** How long a replica that has ended keeps the others from reading, in milliseconds. */
const LEASE_MS = 5_000;
/** The pause between two reads that no announcement ends, and while another replica reads, in milliseconds. */
const PAUSE_MS = 1_000;
/** The pause before a server is asked again that is behind the others, in milliseconds. */
const BEHIND_PAUSE_MS = 50;
/** The most messages of a read, and about the most bytes: the deliveries of ten endpoints for each of its events are in memory at once. */
const READ = { limit: 500, maxBytes: 256 * 1024 };
/** How many events of an endpoint wait in the queue. With more, the endpoint falls behind; with fewer than half, it catches up. */
const WAITING_MAX = 1_000;
/** How many events an endpoint that is behind gets at a time. */
const PAGE = 256;
/** Of how many endpoints it is known how many deliveries wait. */
const COUNTED_MAX = 10_000;

export async function openFanOut(db: Db): Promise<LeasedDocument<StoredFanOut>> {
  return await LeasedDocument.open(openStored(db, storedFanOut), 'fan_out', LEASE_MS);
}

interface FanOutOptions {
  readonly bus: Bus;
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly log: Logger;
  readonly stopping: AbortSignal;
  /** Called with the endpoints of deliveries that may be due now. */
  readonly onAdded: (endpoints: Iterable<EndpointId>) => void;
}

/**
 * Adds a delivery to the queue for each event and each endpoint that wants it: in one replica at a time, under a lease. The fan-out stores how far
 * it has read after the deliveries, so a replica that takes over repeats some, to no effect.
 *
 * The fan-out reads the endpoints after the events: an event that is stored after a change was acknowledged meets the endpoint as it is then.
 */
export class FanOut {
  readonly #options: FanOutOptions;
  readonly #state: LeasedDocument<StoredFanOut>;
  /** How many deliveries were added for an endpoint since those that wait were counted. */
  readonly #added = new Map<string, number>();
  #repairing: Promise<void> | undefined;
  /** Whether this replica reads the stream. */
  isOurs = false;
  /** The time since which the stream is not read to its end; undefined while another replica reads it. */
  #readUpTo: number | undefined = Date.now();

  constructor(options: FanOutOptions, state: LeasedDocument<StoredFanOut>) {
    this.#options = options;
    this.#state = state;
    gauge('webhook.lag', () => (this.#readUpTo === undefined ? 0 : Date.now() - this.#readUpTo) / 1000);
  }

  /** Reads once; after a failure everything, also the progress. @returns for how long nothing is to do, in milliseconds */
  async tick(): Promise<number> {
    const begunAt = performance.now();
    try {
      const pauseMs = await this.#read();
      busy((performance.now() - begunAt) / 1000, { 'work.name': 'webhook_fan_out' });
      return pauseMs;
    } catch (error) {
      this.#state.forget();
      this.isOurs = false;
      throw error;
    }
  }

  async #read(): Promise<number> {
    const begunAt = Date.now();
    const held = await this.#state.take();
    if (held === undefined) {
      this.isOurs = false;
      this.#readUpTo = undefined;
      return PAUSE_MS;
    }
    const { bus, endpoints, deliveries, onAdded } = this.#options;
    if (!this.isOurs) {
      await endpoints.takeOver();
      this.#repair();
    }
    this.isOurs = true;
    const { messages, before, isAnother, isAtEnd } = await readOn(bus.streams, EVENTS, held.read, READ);
    const epoch = (held.epoch ?? 0) + (isAnother ? 1 : 0);
    const added = await this.#deliveriesOf(messages, epoch);
    for (const [endpointId, err] of await deliveries.add(added)) {
      // `#catchUp` adds the deliveries of this endpoint later; the deliveries of all others are stored.
      const first = added.find(({ endpoint_id }) => endpoint_id === endpointId)!;
      this.#warn(err, endpointOf(first));
      await endpoints.fallBehind(endpointOf(first), first.order, inBackground);
    }
    onAdded(added.map(endpointOf));
    const read = { ...before, sequence: messages.at(-1)?.sequence ?? before.sequence };
    // The progress can wait when there were no deliveries: reading again costs less than a write for each read.
    if (added.length > 0 || isAnother) await this.#state.set({ read, epoch });
    else if (messages.length > 0) this.#state.setLater({ read, epoch });
    // The fan-out reads one page of one endpoint at a time, so that the events of the others wait no longer than that.
    const isCatchingUp = await this.#catchUp(read, epoch);
    this.#readUpTo = isAtEnd ? begunAt : (messages[0]?.storedAt.getTime() ?? begunAt);
    if (isCatchingUp) return 0;
    if (isAtEnd) return PAUSE_MS;
    return messages.length === 0 ? BEHIND_PAUSE_MS : 0;
  }

  /** Repairs the queue beside the fan-out, for which a repair may take too long; after a failure again. */
  #repair(): void {
    const { deliveries, log, stopping } = this.#options;
    this.#repairing ??= deliveries
      .repair(stopping)
      .catch((err: unknown) => {
        log[failureLevel(err)]({ err }, 'the queue of webhooks was not repaired; trying again');
        this.isOurs = false;
      })
      .finally(() => {
        this.#repairing = undefined;
      });
  }

  /** The number of the stream that is read, whichever replica does. */
  async epoch(timed: Timed): Promise<number> {
    return (await this.#state.read(timed))?.epoch ?? 0;
  }

  /** Lets another replica read at once. */
  async end(): Promise<void> {
    await this.#repairing;
    await this.#state.end();
  }

  /** The deliveries of messages. Endpoints for which too many wait fall behind instead. */
  async #deliveriesOf(messages: readonly StoredMessage[], epoch: number): Promise<StoredDelivery[]> {
    const workspaces = new Set(messages.map(({ workspaceId }) => workspaceId ?? ''));
    const enabled = workspaces.size === 0 ? [] : await this.#options.endpoints.enabled([...workspaces]);
    if (this.#added.size > COUNTED_MAX) this.#added.clear();
    const all = enabled
      .filter(({ behind }) => behind === null)
      .map((endpoint) => ({ endpoint, isWanted: isWantedBy(endpoint), isBehind: false }));
    const byWorkspace = Map.groupBy(all, ({ endpoint }) => endpoint.workspace_id);
    const deliveries: StoredDelivery[] = [];
    for (const message of messages) {
      const receivers = byWorkspace.get(message.workspaceId ?? '');
      // The messages of a Workspace without endpoints are not even parsed.
      if (receivers === undefined) continue;
      for (const [index, event] of eventsIn(message).entries()) {
        const order = orderOf(epoch, { sequence: message.sequence, index });
        for (const receiver of receivers) {
          if (event === undefined || receiver.isBehind) continue;
          try {
            if (!receiver.isWanted(event)) continue;
            const delivery = newDelivery(receiver.endpoint, event, { order });
            receiver.isBehind = await this.#fallsBehind(receiver.endpoint, order);
            if (!receiver.isBehind) deliveries.push(delivery);
          } catch (err) {
            // The endpoint alone waits: its events from here on are added by `#catchUp`.
            this.#warn(err, receiver.endpoint);
            await this.#options.endpoints.fallBehind(receiver.endpoint, order, inBackground);
            receiver.isBehind = true;
          }
        }
      }
    }
    return deliveries;
  }

  /** Has an endpoint fall behind from an order on when too many of its deliveries wait. `#fallsBehind` counts after so many additions. */
  async #fallsBehind(endpoint: StoredEndpoint, order: string): Promise<boolean> {
    const { deliveries, endpoints } = this.#options;
    const added = this.#added.get(endpoint._id) ?? WAITING_MAX;
    const isFull = added >= WAITING_MAX && (await deliveries.hasWaiting(endpoint, order, WAITING_MAX));
    // Before the progress is stored: nothing is skipped that the endpoint does not get later.
    if (isFull) await endpoints.fallBehind(endpoint, order, inBackground);
    else this.#added.set(endpoint._id, added >= WAITING_MAX ? 1 : added + 1);
    return isFull;
  }

  /**
   * Adds the next events of one endpoint that is behind, in their order, also again: no lane has a later one that is delivered before.
   *
   * @returns whether there was one.
   */
  async #catchUp(read: StreamProgress, epoch: number): Promise<boolean> {
    const endpoint = await this.#options.endpoints.nextBehind();
    if (endpoint?.behind == null) return false;
    // A failure delays this endpoint alone; the next look at it comes later each time.
    await this.#addPage(endpoint, endpoint.behind, read, epoch).catch((err: unknown) => {
      if (err instanceof LeaseTaken) throw err;
      this.#warn(err, endpoint);
    });
    return true;
  }

  async #addPage(
    endpoint: StoredEndpoint,
    behind: NonNullable<StoredEndpoint['behind']>,
    read: StreamProgress,
    epoch: number,
  ): Promise<void> {
    const { bus, endpoints, deliveries, onAdded } = this.#options;
    if (await deliveries.hasWaiting(endpoint, behind.from, WAITING_MAX / 2))
      return await endpoints.lookLater(endpoint);
    const { workspace_id: workspaceId } = endpoint;
    const wanted = async () => isWantedBy(endpoint);
    const page = await readPage(bus, {
      workspaceId,
      limit: PAGE,
      wanted,
      from: positionOf(behind.from, epoch),
    });
    let { next } = page;
    if (page.isAtEnd) {
      const end = await bus.streams.nothingUpTo(EVENTS, { workspaceId, from: next.sequence });
      if (end >= next.sequence) next = { sequence: end + 1, index: 0 };
    }
    const added = page.events.map((event, n) => {
      const { sequence, index } = page.positions[n]!;
      return newDelivery(endpoint, event, { order: orderOf(epoch, { sequence, index: index - 1 }) });
    });
    const [error] = (await deliveries.add(added, true)).values();
    if (error !== undefined) throw error;
    // With the lease, `read` is how far events may have been skipped; a replica that takes over makes `catchUp` fail.
    await this.#state.set({ read, epoch });
    const isDone = next.sequence > read.sequence;
    await endpoints.catchUp(endpoint, isDone ? undefined : orderOf(epoch, next));
    onAdded([endpoint]);
  }

  #warn(err: unknown, { _id: endpoint_id, workspace_id }: EndpointId): void {
    this.#options.log[failureLevel(err)](
      { err, workspace_id, endpoint_id },
      'the events of a webhook endpoint cannot be added; trying again later',
    );
  }
}

/** Whether an endpoint gets an event: not its own, whose failures would make it fail on. */
function isWantedBy({ _id, form, types, collection_ids }: StoredEndpoint): (event: ChangeEvent) => boolean {
  const filter = { types: types ?? undefined, collectionIds: collection_ids ?? undefined };
  const isWanted = isFor({ principal: { userId: '', role: 'owner' }, granted: undefined, ...filter });
  return (event) => event.subject !== _id && takesType(form ?? 'event', event.type) && isWanted(event);
}
