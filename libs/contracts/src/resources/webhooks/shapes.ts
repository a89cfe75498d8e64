import { z } from 'zod';
import { type ChangeEvent, changeEventType } from '../../change-events/change-event.ts';
import { exampleId } from '../../ids.ts';
import { KEY_MAX_LENGTH } from '../../limits.ts';
import { field, opaqueId, optionalOrNull, paging, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

const url = field(
  text({ min: 1, max: 2000 }),
  'Where events are sent: https, to a public address, without user and password.',
  'https://hooks.example.com/action-platform',
);
const types = field(z.array(changeEventType).min(1).max(50), 'Only events of these types; otherwise all.', [
  'record.pushed',
  'record.patched',
]);
const collectionIds = field(
  z.array(opaqueId).min(1).max(50),
  'Only events of these Collections; otherwise all.',
  ['col_0198f2d1a2b34c5d8e9f0a1b2c3d4e5f'],
);
const description = field(text({ max: 500 }), 'For people: what receives the events.', 'Search index');
const status = z.enum(['enabled', 'disabled']);

/** An endpoint of a Workspace as Owners see it, without its secrets. */
export const webhookEndpoint = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  url: z.string(),
  types: field(z.array(z.string()).nullable(), 'Null when it gets events of all types.'),
  collectionIds: field(
    z.array(z.string()).nullable(),
    'Null when it gets events of all Collections, and those of no Collection.',
  ),
  description: z.string().nullable(),
  status,
  disabledReason: field(
    z.enum(['by_owner', 'gone']).optional(),
    'Of a disabled one: an Owner disabled it, or it answered 410.',
  ),
  createdAt: timestamp,
  createdBy: field(z.string(), 'The Owner who created it.'),
  secretChangedAt: timestamp,
  failingSince: field(timestamp.nullable(), 'The first failed attempt since the last one that succeeded.'),
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

const webhookFailure = field(
  z.enum(['address_refused', 'connection_failed', 'redirect', 'status', 'timeout', 'tls_failed']),
  'Why it failed; `status`: the endpoint answered with a status that is not 2xx.',
);
export type WebhookFailure = z.output<typeof webhookFailure>;

const deliveryStatus = z.enum(['waiting', 'delivered', 'dead']);

const webhookAttempt = z.strictObject({
  at: timestamp,
  status: field(z.int().optional(), 'That of the answer, if one began.'),
  failure: webhookFailure.optional(),
  ms: field(z.int(), 'How long it took, in milliseconds.'),
});

/** The delivery of an event to an endpoint. */
export const webhookDelivery = z.strictObject({
  id: field(z.string(), 'Names it among those of the endpoint.'),
  eventId: z.string(),
  type: z.string(),
  subject: z.string(),
  status: field(
    deliveryStatus,
    '`waiting` for its next attempt, or for an earlier event of the same subject; `dead`: no attempt is left.',
  ),
  attempts: field(z.array(webhookAttempt), 'The last 20, oldest first.'),
  createdAt: timestamp,
  nextAttemptAt: field(timestamp.nullable(), 'Null when it waits for an earlier event, or waits no more.'),
  event: field(z.unknown(), 'The event until it is delivered, then null.'),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const id = field(opaqueId, 'The id of an endpoint.', exampleId('webhookEndpoint'));
export const namedEndpoint = z.strictObject({ id });
export const namedDelivery = namedEndpoint.extend({
  deliveryId: field(opaqueId, 'The id of a delivery.', 'evt_5f2c8e0b7a914d3c86a1f05e9b27d4c3'),
});

export const newWebhookEndpoint = z.strictObject({
  url,
  types: types.optional(),
  collectionIds: collectionIds.optional(),
  description: description.optional(),
  idempotencyKey: field(
    text({ min: 1, max: KEY_MAX_LENGTH }).optional(),
    'Names this create, so that it can be repeated safely. Until a delivery has succeeded, the repetition returns the endpoint with a fresh secret, and the earlier one ends. After it, the repetition returns the endpoint without a secret.',
    'search-index-2026',
  ),
});
export type NewWebhookEndpoint = z.output<typeof newWebhookEndpoint>;

/** The input of PATCH /api/v1/webhook-endpoints/{id}: a field that is left out stays as it is, and null removes one (RFC 7396). */
export const webhookEndpointChange = z.strictObject({
  url: url.optional(),
  types: optionalOrNull(types, 'Only events of these types; null for all.'),
  collectionIds: optionalOrNull(collectionIds, 'Only events of these Collections; null for all.'),
  description: optionalOrNull(description),
  status: field(
    status.optional(),
    'A disabled endpoint gets no events, and those that wait become dead. An enabled one gets what happens from then on.',
    'enabled',
  ),
  id,
});

export const webhookReplay = z.strictObject({
  eventId: field(
    opaqueId,
    'The event from which on everything is sent again. Events are kept for 7 days.',
    'evt_5f2c8e0b7a914d3c86a1f05e9b27d4c3',
  ),
  id,
});

export const webhookDeliveryQuery = z.strictObject({
  status: field(deliveryStatus.optional(), 'Only those with this status.', 'dead'),
  ...paging,
  id,
});

/** The answer of a create and of a rotation. */
export const webhookEndpointWithSecret = z.strictObject({
  endpoint: webhookEndpoint,
  secret: field(
    z.string().optional(),
    '`whsec_` and 32 bytes in base64. Shown here and nowhere else. Left out of a repetition once a delivery has succeeded.',
  ),
});

/** The event that an Owner sends to test an endpoint. No feed has it. */
export type WebhookTestEvent = Omit<ChangeEvent, 'type'> & { readonly type: 'webhook.test' };
