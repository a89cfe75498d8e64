import type { WebhookDelivery, WebhookFailure } from '@action-platform/contracts';
import { byWorkspace, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

/** An attempt of a delivery. */
export interface StoredAttempt {
  readonly at: Date;
  readonly status?: number | undefined;
  readonly failure?: WebhookFailure | undefined;
  readonly ms: number;
}

/**
 * The delivery of an event to an endpoint: a row of the queue. The rows of a lane are delivered one after the other: the first that waits
 * has a time from which it is due, the others have none. A row that a replica has claimed is due again when its claim ends.
 */
export interface StoredDelivery {
  /** Endpoint and event: a repetition of the event is the same delivery. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string;
  /** The subject, or the id of an event that waits for no other one. */
  readonly lane: string;
  /** The place of its event in the stream, as `orderOf` writes it. */
  readonly order: string;
  /** `held`: it waits until the fan-out comes to its event again, in a replay. */
  readonly status: 'waiting' | 'held' | 'delivered' | 'dead';
  readonly due_at?: Date;
  readonly claim?: string;
  /** How many attempts were made since it was queued last, and when that was. */
  readonly tries: number;
  readonly queued_at: Date;
  /** The last ones, oldest first. */
  readonly attempts: readonly StoredAttempt[];
  readonly created_at: Date;
  /** The event as JSON: the body of the request. */
  readonly event: string;
  /** When the database deletes it (TTL index). */
  readonly expires_at: Date;
}

const DAY_MS = 86_400_000;
/** How long a delivery is listed after its last change, in milliseconds. */
export const LISTED_MS = { delivered: DAY_MS, waiting: 30 * DAY_MS, dead: 30 * DAY_MS } as const;

/** The deliveries, which repeat what other services export. */
export const storedDeliveries: StoredDocuments<StoredDelivery> = {
  collection: 'webhook_deliveries',
  shardKey: 'workspace_id',
  ofWorkspace: byWorkspace,
};

/** The deliveries, with an index for each query. */
export async function openDeliveries(db: Db): Promise<Collection<StoredDelivery>> {
  const deliveries = openStored(db, storedDeliveries);
  await deliveries.createIndexes([
    { name: 'listing', key: { workspace_id: 1, endpoint_id: 1, created_at: -1, _id: -1 } },
    {
      name: 'listing_of_status',
      key: { workspace_id: 1, endpoint_id: 1, status: 1, created_at: -1, _id: -1 },
    },
    {
      name: 'lane',
      key: { workspace_id: 1, endpoint_id: 1, lane: 1, order: 1 },
      partialFilterExpression: { status: 'waiting' },
    },
    {
      name: 'due',
      key: { endpoint_id: 1, due_at: 1 },
      partialFilterExpression: { due_at: { $exists: true } },
    },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return deliveries;
}

/** An event for an endpoint. */
export interface NewDelivery {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly event: { readonly id: string; readonly type: string; readonly subject: string };
  /** The event as JSON. */
  readonly text: string;
  readonly order: string;
  readonly lane?: string;
}

/** A delivery that waits for its first attempt. */
export function newDelivery({
  workspaceId,
  endpointId,
  event,
  text,
  order,
  lane,
}: NewDelivery): StoredDelivery {
  const now = Date.now();
  return {
    _id: deliveryId(endpointId, event.id),
    workspace_id: workspaceId,
    endpoint_id: endpointId,
    event_id: event.id,
    type: event.type,
    subject: event.subject,
    lane: lane ?? event.subject,
    order,
    status: 'waiting',
    tries: 0,
    queued_at: new Date(now),
    attempts: [],
    created_at: new Date(now),
    event: text,
    expires_at: new Date(now + LISTED_MS.waiting),
  };
}

/** The `_id` of the delivery of an event to an endpoint. */
export function deliveryId(endpointId: string, eventId: string): string {
  return `${endpointId}/${eventId}`;
}

/** The public form of a delivery. */
export function describeDelivery(delivery: StoredDelivery): WebhookDelivery {
  const { status, event_id, due_at } = delivery;
  return {
    id: event_id,
    eventId: event_id,
    type: delivery.type,
    subject: delivery.subject,
    status: status === 'held' ? 'waiting' : status,
    attempts: delivery.attempts.map(({ at, status: answered, failure, ms }) => ({
      at: at.toISOString(),
      ...(answered !== undefined && { status: answered }),
      ...(failure !== undefined && { failure }),
      ms,
    })),
    createdAt: delivery.created_at.toISOString(),
    nextAttemptAt: due_at?.toISOString() ?? null,
    event: status === 'delivered' ? null : (JSON.parse(delivery.event) as unknown),
  };
}
