import type { ErrorEntry } from './entry.ts';

/** Errors of the rules of webhooks. */
export const webhookErrors = {
  webhook_endpoint_not_found: {
    status: 404,
    message: 'The Workspace has no webhook endpoint with this id.',
    recoverable: true,
    next: 'List the endpoints with GET /api/v1/webhook-endpoints, and use an id from there.',
    why: 'The id is wrong, the endpoint was deleted, or it belongs to another Workspace.',
  },
  webhook_delivery_not_found: {
    status: 404,
    message: 'The webhook endpoint has no delivery with this id.',
    recoverable: true,
    next: 'List the deliveries with GET /api/v1/webhook-endpoints/{id}/deliveries, and use an id from there.',
    why: 'The id is wrong, or the delivery is no longer kept.',
  },
} as const satisfies Record<string, ErrorEntry>;
