import type { WebhookDelivery, WebhookFailure } from '@action-platform/contracts/resources';
import { byWorkspace, type StoredDocuments, type StoredLease } from '@action-platform/mongo';
import type { EndpointId, StoredEndpoint } from '../endpoints/stored-endpoint.ts';

/** An attempt of a delivery. */
export interface StoredAttempt {
  readonly at: Date;
  readonly status?: number | undefined;
  readonly failure?: WebhookFailure | undefined;
  readonly ms: number;
}

/** The claim of an attempt. */
interface Claim extends Pick<StoredLease, 'owner' | 'until'> {
  readonly begun_at: Date;
  /** The claim has ended once; its owner may settle it for a moment more. */
  readonly is_awaited?: true;
}

/** The delivery of an event to an endpoint: a row of the queue. The rows of a lane are delivered one after the other. */
export interface StoredDelivery {
  /** Endpoint and event, so that a repetition of the event is the same delivery; of a test event, endpoint and number. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly endpoint_id: string;
  /** The subject of the event; the endpoint, of messages; or a text of its own for one that waits for no other one. */
  readonly lane: string;
  /** The place of its event in the stream, as `orderOf` writes it; empty for a test event. */
  readonly order: string;
  readonly status: 'waiting' | 'delivered' | 'dead';
  /** From when on a replica may claim it, of the first one of its lane that waits. A claim puts it off. */
  readonly due_at?: Date;
  /** The attempt under way, until `due_at`: only its owner settles it. The attempt of a process that ended stays. */
  readonly claim?: Claim;
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

const ofEndpoint = { workspace_id: 1, endpoint_id: 1 } as const;

/** The deliveries, which repeat what other services export, with an index for each query. */
export const storedDeliveries: StoredDocuments<StoredDelivery> = {
  collection: 'webhook_deliveries',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'listing', key: { ...ofEndpoint, created_at: -1, _id: -1 } },
    { name: 'listing_of_status', key: { ...ofEndpoint, status: 1, created_at: -1, _id: -1 } },
    {
      name: 'lane',
      key: { ...ofEndpoint, lane: 1, order: 1 },
      partialFilterExpression: { status: 'waiting' },
    },
    {
      name: 'due',
      key: { endpoint_id: 1, due_at: 1 },
      partialFilterExpression: { due_at: { $exists: true } },
    },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
};

/** Whether the deliveries of a lane become one message: all of an endpoint with a form for people that wait. */
export function isOfMessages({ lane, endpoint_id }: Pick<StoredDelivery, 'lane' | 'endpoint_id'>): boolean {
  return lane === endpoint_id;
}

/** A delivery of an event that waits for its first attempt. @param row what is not as that of an event of the stream */
export function newDelivery(
  { _id: endpoint_id, workspace_id, form }: EndpointId & Pick<StoredEndpoint, 'form'>,
  event: { readonly id: string; readonly subject: string },
  row: Pick<StoredDelivery, 'order'> & Partial<StoredDelivery>,
): StoredDelivery {
  const now = new Date();
  return {
    _id: deliveryId(endpoint_id, event.id),
    workspace_id,
    endpoint_id,
    lane: form === undefined ? event.subject : endpoint_id,
    status: 'waiting',
    queued_at: now,
    attempts: [],
    created_at: now,
    event: JSON.stringify(event),
    expires_at: new Date(now.getTime() + LISTED_MS.waiting),
    ...row,
  };
}

/** The `_id` of a delivery to an endpoint. @param id names it among those of the endpoint */
export function deliveryId(endpointId: string, id: string): string {
  return `${endpointId}/${id}`;
}

/** The endpoint of a delivery. */
export function endpointOf({ endpoint_id: _id, workspace_id }: StoredDelivery): EndpointId {
  return { _id, workspace_id };
}

/** Whether a delivery is claimed: a replica of the version before claims, settles and sends again by `due_at` alone. */
export function isClaimed({ claim, due_at }: Pick<StoredDelivery, 'claim' | 'due_at'>): boolean {
  return claim !== undefined && claim.until.getTime() === due_at?.getTime();
}

/** The public form of a delivery. */
export function describeDelivery(delivery: StoredDelivery): WebhookDelivery {
  const { _id, endpoint_id, status, due_at } = delivery;
  const event = JSON.parse(delivery.event) as { id: string; type: string; subject: string };
  return {
    id: _id.slice(deliveryId(endpoint_id, '').length),
    eventId: event.id,
    type: event.type,
    subject: event.subject,
    status,
    attempts: delivery.attempts.map(({ at, status: answered, failure, ms }) => ({
      at: at.toISOString(),
      ...(answered !== undefined && { status: answered }),
      ...(failure !== undefined && { failure }),
      ms,
    })),
    createdAt: delivery.created_at.toISOString(),
    nextAttemptAt: due_at?.toISOString() ?? null,
    event: status === 'delivered' ? null : event,
  };
}
