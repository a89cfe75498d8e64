import { z } from 'zod';
import { type ChangeEvent, changeEventType } from '../../change-events/change-event.ts';
import { exampleId } from '../../ids.ts';
import { KEY_MAX_LENGTH } from '../../limits.ts';
import { opaqueId, optionalOrNull, paging, timestamp } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

const url = text({ min: 1, max: 2000 }).meta({
  description: 'Where events are sent: https, to a public address, without user and password.',
  examples: ['https://hooks.example.com/action-platform'],
});
const types = z
  .array(changeEventType)
  .min(1)
  .max(50)
  .meta({
    description: 'Only events of these types; otherwise all.',
    examples: [['record.pushed', 'record.patched']],
  });
const collectionIds = z
  .array(opaqueId)
  .min(1)
  .max(50)
  .meta({
    description: 'Only events of these Collections; otherwise all.',
    examples: [['col_0198f2d1a2b34c5d8e9f0a1b2c3d4e5f']],
  });
const description = text({ max: 500 }).meta({
  description: 'For people: what receives the events.',
  examples: ['Search index'],
});
const status = z.enum(['enabled', 'disabled']);

/** An endpoint of a Workspace as Owners see it, without its secrets. */
export const webhookEndpoint = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  url: z.string(),
  types: z.array(z.string()).nullable().meta({ description: 'Null when it gets events of all types.' }),
  collectionIds: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Null when it gets events of all Collections, and those of no Collection.' }),
  description: z.string().nullable(),
  status,
  disabledReason: z
    .enum(['by_owner', 'gone'])
    .optional()
    .meta({ description: 'Of a disabled one: an Owner disabled it, or it answered 410.' }),
  createdAt: timestamp,
  createdBy: z.string().meta({ description: 'The Owner who created it.' }),
  secretChangedAt: timestamp,
  failingSince: timestamp
    .nullable()
    .meta({ description: 'The first failed attempt since the last one that succeeded.' }),
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** Why an attempt failed. */
const webhookFailure = z
  .enum(['address_refused', 'connection_failed', 'redirect', 'status', 'timeout', 'tls_failed'])
  .meta({ description: 'Why it failed; `status`: the endpoint answered with a status that is not 2xx.' });
export type WebhookFailure = z.output<typeof webhookFailure>;

const deliveryStatus = z.enum(['waiting', 'delivered', 'dead']);

/** An attempt of a delivery. */
const webhookAttempt = z.strictObject({
  at: timestamp,
  status: z.int().optional().meta({ description: 'That of the answer, if one began.' }),
  failure: webhookFailure.optional(),
  ms: z.int().meta({ description: 'How long it took, in milliseconds.' }),
});

/** The delivery of an event to an endpoint. */
export const webhookDelivery = z.strictObject({
  id: z.string().meta({ description: 'Names it among those of the endpoint.' }),
  eventId: z.string(),
  type: z.string(),
  subject: z.string(),
  status: deliveryStatus.meta({
    description:
      '`waiting` for its next attempt, or for an earlier event of the same subject; `dead`: no attempt is left.',
  }),
  attempts: z.array(webhookAttempt).meta({ description: 'The last 20, oldest first.' }),
  createdAt: timestamp,
  nextAttemptAt: timestamp
    .nullable()
    .meta({ description: 'Null when it waits for an earlier event, or waits no more.' }),
  event: z.unknown().meta({ description: 'The event until it is delivered, then null.' }),
});
export type WebhookDelivery = z.output<typeof webhookDelivery>;

const id = opaqueId.meta({
  description: 'The id of an endpoint.',
  examples: [exampleId('webhookEndpoint')],
});
export const namedEndpoint = z.strictObject({ id });
export const namedDelivery = namedEndpoint.extend({
  deliveryId: opaqueId.meta({
    description: 'The id of a delivery.',
    examples: ['evt_5f2c8e0b7a914d3c86a1f05e9b27d4c3'],
  }),
});

/** The body of POST /api/v1/webhook-endpoints. */
export const newWebhookEndpoint = z.strictObject({
  url,
  types: types.optional(),
  collectionIds: collectionIds.optional(),
  description: description.optional(),
  idempotencyKey: text({ min: 1, max: KEY_MAX_LENGTH })
    .optional()
    .meta({
      description:
        'Names this create, so that it can be repeated safely. Until a delivery has succeeded, the repetition returns the endpoint with a fresh secret, and the earlier one ends. After it, the repetition returns the endpoint without a secret.',
      examples: ['search-index-2026'],
    }),
});
export type NewWebhookEndpoint = z.output<typeof newWebhookEndpoint>;

/** The input of PATCH /api/v1/webhook-endpoints/{id}: a field that is left out stays as it is, and null removes one (RFC 7396). */
export const webhookEndpointChange = z.strictObject({
  url: url.optional(),
  types: optionalOrNull(types, 'Only events of these types; null for all.'),
  collectionIds: optionalOrNull(collectionIds, 'Only events of these Collections; null for all.'),
  description: optionalOrNull(description),
  status: status.optional().meta({
    description:
      'A disabled endpoint gets no events, and those that wait become dead. An enabled one gets what happens from then on.',
    examples: ['enabled'],
  }),
  id,
});

/** The input of POST /api/v1/webhook-endpoints/{id}/replay. */
export const webhookReplay = z.strictObject({
  eventId: opaqueId.meta({
    description: 'The event from which on everything is sent again. Events are kept for 7 days.',
    examples: ['evt_5f2c8e0b7a914d3c86a1f05e9b27d4c3'],
  }),
  id,
});

/** The input of GET /api/v1/webhook-endpoints/{id}/deliveries. */
export const webhookDeliveryQuery = z.strictObject({
  status: deliveryStatus.optional().meta({ description: 'Only those with this status.', examples: ['dead'] }),
  ...paging,
  id,
});

/** The answer of a create and of a rotation. */
export const webhookEndpointWithSecret = z.strictObject({
  endpoint: webhookEndpoint,
  secret: z.string().optional().meta({
    description:
      '`whsec_` and 32 bytes in base64. Shown here and nowhere else. Left out of a repetition once a delivery has succeeded.',
  }),
});

/** The event that an Owner sends to test an endpoint. No feed has it. */
export type WebhookTestEvent = Omit<ChangeEvent, 'type'> & { readonly type: 'webhook.test' };
