import type { WebhookFailure } from '@action-platform/contracts';
import type { ReadEvent } from './event-stream.ts';
import { LISTED_MS, type StoredDelivery } from './stored-delivery.ts';

/** An event on its way to an endpoint. */
export interface Delivery {
  readonly eventId: string;
  readonly type: string;
  readonly subject: string;
  readonly sequence: number;
  readonly index: number;
  /** The event as JSON: the body of the request. */
  readonly event: string;
  readonly createdAt: number;
  status: StoredDelivery['status'];
  attempts: number;
  lastAttemptAt: number | null;
  /** When the next attempt may begin. */
  nextAttemptAt: number;
  responseStatus: number | null;
  failure: WebhookFailure | null;
}

/** A delivery without an attempt so far. */
export function newDelivery(
  event: Pick<Delivery, 'eventId' | 'type' | 'subject' | 'sequence' | 'index' | 'event'>,
  now: number,
): Delivery {
  return {
    ...event,
    createdAt: now,
    status: 'waiting',
    attempts: 0,
    lastAttemptAt: null,
    nextAttemptAt: now,
    responseStatus: null,
    failure: null,
  };
}

/** A delivery of an event of the stream. */
export function deliveryOf({ event, next: { sequence, index } }: ReadEvent, now: number): Delivery {
  const { id: eventId, type, subject } = event;
  const place = { sequence, index: index - 1 };
  return newDelivery({ eventId, type, subject, ...place, event: JSON.stringify(event) }, now);
}

/** A delivery of an endpoint as the database has it. */
export function toStored(
  delivery: Delivery,
  { _id, workspace_id }: { readonly _id: string; readonly workspace_id: string },
  now: number,
): StoredDelivery {
  const { status, lastAttemptAt, nextAttemptAt } = delivery;
  return {
    _id: `${_id}/${delivery.eventId}`,
    workspace_id,
    endpoint_id: _id,
    event_id: delivery.eventId,
    type: delivery.type,
    subject: delivery.subject,
    sequence: delivery.sequence,
    index: delivery.index,
    status,
    attempts: delivery.attempts,
    created_at: new Date(delivery.createdAt),
    last_attempt_at: lastAttemptAt === null ? null : new Date(lastAttemptAt),
    next_attempt_at: status === 'waiting' ? new Date(nextAttemptAt) : null,
    response_status: delivery.responseStatus,
    failure: delivery.failure,
    event: status === 'delivered' ? null : delivery.event,
    expires_at: new Date(now + LISTED_MS[status]),
  };
}

/** A waiting delivery that the database has. */
export function fromStored(stored: StoredDelivery): Delivery {
  return {
    eventId: stored.event_id,
    type: stored.type,
    subject: stored.subject,
    sequence: stored.sequence,
    index: stored.index,
    event: stored.event!,
    createdAt: stored.created_at.getTime(),
    status: stored.status,
    attempts: stored.attempts,
    lastAttemptAt: stored.last_attempt_at?.getTime() ?? null,
    nextAttemptAt: stored.next_attempt_at!.getTime(),
    responseStatus: stored.response_status,
    failure: stored.failure,
  };
}
