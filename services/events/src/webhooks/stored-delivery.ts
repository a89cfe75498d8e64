import type { WebhookDelivery, WebhookFailure } from '@action-platform/contracts';
import { byWorkspace, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

/**
 * The delivery of an event to an endpoint, from its first attempt on. An event waits here after a failed attempt, or behind an
 * earlier event of its subject; all others are still in the stream.
 */
export interface StoredDelivery {
  /** Endpoint and event: a repetition of the event is the same delivery. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly subject: string;
  /** The place of the event in the stream, which is the order of the events of a subject. */
  readonly sequence: number;
  readonly index: number;
  readonly status: 'waiting' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly created_at: Date;
  readonly last_attempt_at: Date | null;
  /** Of a waiting one. */
  readonly next_attempt_at: Date | null;
  readonly response_status: number | null;
  readonly failure: WebhookFailure | null;
  /** The event as JSON, until it is delivered. */
  readonly event: string | null;
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
    { name: 'endpoint', key: { workspace_id: 1, endpoint_id: 1, created_at: -1, _id: -1 } },
    { name: 'status', key: { workspace_id: 1, endpoint_id: 1, status: 1, created_at: -1, _id: -1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return deliveries;
}

/** The public form of a delivery. */
export function describeDelivery(delivery: StoredDelivery): WebhookDelivery {
  return {
    eventId: delivery.event_id,
    type: delivery.type,
    subject: delivery.subject,
    status: delivery.status,
    attempts: delivery.attempts,
    createdAt: delivery.created_at.toISOString(),
    lastAttemptAt: delivery.last_attempt_at?.toISOString() ?? null,
    nextAttemptAt: delivery.next_attempt_at?.toISOString() ?? null,
    responseStatus: delivery.response_status,
    failure: delivery.failure,
    event: delivery.event === null ? null : (JSON.parse(delivery.event) as unknown),
  };
}
