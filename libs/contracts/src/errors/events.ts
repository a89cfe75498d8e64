import type { StatedError } from './entry.ts';

/** Errors of the feed of change events, and of the rules of webhooks. */
export const eventErrors = {
  event_cursor_expired: {
    status: 400,
    message: 'The events after this cursor are no longer kept.',
    next: 'Call events.list_events with cursor latest and keep its next_cursor. Then list the Collections and their Records with record_store.list_collections and record_store.list_records, and go on with that cursor.',
    why: 'Events are kept for 7 days, fewer when there are very many, and none across a new installation of the event store. A reader that was away for longer has missed some, so it has to look at the present state once.',
  },
  webhook_endpoint_not_found: {
    status: 404,
    message: 'The Workspace has no webhook endpoint with this id.',
    next: 'List the endpoints with GET /api/v1/webhook-endpoints, and use an id from there.',
    why: 'The id is wrong, the endpoint was deleted, or it belongs to another Workspace.',
  },
  webhook_delivery_not_found: {
    status: 404,
    message: 'The webhook endpoint has no delivery with this id.',
    next: 'List the deliveries with GET /api/v1/webhook-endpoints/{id}/deliveries, and use an id from there.',
    why: 'The id is wrong, or the delivery is no longer kept.',
  },
} as const satisfies Record<string, StatedError>;
