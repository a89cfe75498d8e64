import { z } from 'zod';
import type { ChangeEvent } from '../../change-events/change-event.ts';
import { noticeOf } from '../../change-events/types.ts';
import { field, opaqueId, timestamp } from '../../schema/fields.ts';

/** The forms of the requests of an endpoint. */
export const webhookForm = z.enum(['event', 'slack', 'teams']);
export type WebhookForm = z.output<typeof webhookForm>;

/** Whether an endpoint of a form takes events of a type: a message for people has no use for the others. */
export function takesType(form: WebhookForm, type: string): boolean {
  return form === 'event' || noticeOf(type) !== undefined;
}

export const endpointStatus = z.enum(['enabled', 'disabled']);

/** An endpoint of a Workspace as Owners see it, without its secrets. */
export const webhookEndpoint = z.strictObject({
  id: opaqueId,
  workspaceId: z.string(),
  url: field(z.string(), 'Of the forms `slack` and `teams` its origin alone: the rest is a secret.'),
  form: webhookForm,
  types: field(z.array(z.string()).nullable(), 'Null when it gets events of all types that its form takes.'),
  collectionIds: field(
    z.array(z.string()).nullable(),
    'Null when it gets events of all Collections, and those of no Collection.',
  ),
  description: z.string().nullable(),
  status: endpointStatus,
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
  z.enum([
    'address_refused',
    'connection_failed',
    'interrupted',
    'redirect',
    'status',
    'timeout',
    'tls_failed',
  ]),
  'Why it failed; `status`: the endpoint answered with a status that is not 2xx; `interrupted`: a process of the platform ended meanwhile, so the event may have arrived.',
);
export type WebhookFailure = z.output<typeof webhookFailure>;

export const deliveryStatus = z.enum(['waiting', 'delivered', 'dead']);

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

/** The answer of a create and of a rotation. */
export const webhookEndpointWithSecret = z.strictObject({
  endpoint: webhookEndpoint,
  secret: field(
    z.string().optional(),
    '`whsec_` and 32 bytes in base64. Shown here and nowhere else. Left out of a repetition once a delivery has succeeded, and of the forms `slack` and `teams`, which are not signed.',
  ),
});

/** The event that an Owner sends to test an endpoint. No feed has it. */
export type WebhookTestEvent = Omit<ChangeEvent, 'type'> & { readonly type: 'webhook.test' };
