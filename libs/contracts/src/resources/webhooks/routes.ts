import { z } from 'zod';
import { changeEventType } from '../../change-events/change-event.ts';
import { defineMemberRoute } from '../../declaration/member-route.ts';
import { exampleId } from '../../ids/ids.ts';
import { field, key, nextCursor, opaqueId, optionalOrNull, paging } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';
import {
  deliveryStatus,
  endpointStatus,
  webhookDelivery,
  webhookEndpoint,
  webhookEndpointWithSecret,
  webhookForm,
} from './shapes.ts';

const endpoint = {
  id: exampleId('webhookEndpoint'),
  workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
  url: 'https://hooks.example.com/action-platform',
  form: 'event',
  types: ['record.pushed', 'record.patched'],
  collectionIds: null,
  description: 'Search index',
  status: 'enabled',
  createdAt: '2026-05-01T09:30:00.000Z',
  createdBy: 'olga',
  secretChangedAt: '2026-05-01T09:30:00.000Z',
  failingSince: null,
};
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;
const eventId = 'evt_5f2c8e0b7a914d3c86a1f05e9b27d4c3';

const delivery = {
  id: eventId,
  eventId,
  type: 'record.pushed',
  subject: exampleId('record'),
  status: 'delivered',
  attempts: [{ at: '2026-05-01T09:31:00.100Z', status: 204, ms: 52 }],
  createdAt: '2026-05-01T09:31:00.000Z',
  nextAttemptAt: null,
  event: null,
};

const all = { role: 'owner', path: '/api/v1/webhook-endpoints' } as const;
const named = z.strictObject({ id: field(opaqueId, 'The id of an endpoint.', endpoint.id) });
const one = {
  ...all,
  path: `${all.path}/{id}`,
  input: named,
  output: z.strictObject({ endpoint: webhookEndpoint }),
  errors: ['webhook_endpoint_not_found'],
} as const;

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
  'Only events of these Collections, by id or name; otherwise all.',
  [exampleId('collection')],
);
const description = field(text({ max: 500 }), 'For people: what receives the events.', 'Search index');

/** The routes with which Owners manage the endpoints of webhooks. */
export const webhookRoutes = {
  list: defineMemberRoute({
    ...all,
    id: 'events.list_webhook_endpoints',
    method: 'get',
    title: 'List webhook endpoints',
    description: 'All of the Workspace, newest first; at most ten.',
    input: z.strictObject({}),
    output: z.strictObject({ endpoints: z.array(webhookEndpoint) }),
    answer: { description: 'The endpoints.', example: { endpoints: [endpoint] } },
  }),
  create: defineMemberRoute({
    ...all,
    id: 'events.create_webhook_endpoint',
    method: 'post',
    title: 'Create a webhook endpoint',
    description:
      'The URL gets every event of the Workspace from now on, or those of some types and Collections, as a POST request signed by [Standard Webhooks](https://www.standardwebhooks.com). Events of one Record arrive in order; each arrives at least once, with the same `webhook-id` in every repetition.',
    input: z.strictObject({
      url,
      form: field(
        webhookForm.optional(),
        '`event` (the default): each event, signed. `slack`, `teams`: a message for people, to an incoming webhook of Slack or a workflow of Teams, about `approval.*`, `webhook_endpoint.failing` and `connector.*` alone. Fixed for good.',
        'event',
      ),
      types: types.optional(),
      collectionIds: collectionIds.optional(),
      description: description.optional(),
      idempotencyKey: field(
        key.optional(),
        'Names this create, so that it can be repeated safely. Until a delivery has succeeded, the repetition returns the endpoint with a fresh secret, and the earlier one ends. After it, the repetition returns the endpoint without a secret.',
        'search-index-2026',
      ),
    }),
    example: { types: endpoint.types, description: endpoint.description },
    output: webhookEndpointWithSecret,
    answer: {
      status: 201,
      description: 'The endpoint, and the secret that signs: this answer is the only place where it appears.',
      example: { endpoint, secret },
    },
    targets: (_input, result) => [result?.endpoint.id],
  }),
  get: defineMemberRoute({
    ...one,
    id: 'events.get_webhook_endpoint',
    method: 'get',
    title: 'Get a webhook endpoint',
    description: 'Without its secret.',
    answer: { description: 'The endpoint.', example: { endpoint } },
  }),
  change: defineMemberRoute({
    ...one,
    id: 'events.change_webhook_endpoint',
    method: 'patch',
    title: 'Change a webhook endpoint',
    description: 'Changes the fields that are there; enables or disables the endpoint.',
    // A field that is left out stays as it is, and null removes one (RFC 7396).
    input: named.extend({
      url: url.optional(),
      types: optionalOrNull(types, 'Only events of these types; null for all.'),
      collectionIds: optionalOrNull(
        collectionIds,
        'Only events of these Collections, by id or name; null for all.',
      ),
      description: optionalOrNull(description),
      status: field(
        endpointStatus.optional(),
        'A disabled endpoint gets no events, and those that wait become dead. An enabled one gets what happens from then on.',
        'enabled',
      ),
    }),
    example: { types: ['record.pushed'] },
    answer: { description: 'The endpoint, changed.', example: { endpoint } },
  }),
  delete: defineMemberRoute({
    ...one,
    id: 'events.delete_webhook_endpoint',
    method: 'delete',
    title: 'Delete a webhook endpoint',
    description: 'It gets nothing more, and its deliveries are deleted.',
    answer: { description: 'The endpoint as it was.', example: { endpoint } },
  }),
  rotate: defineMemberRoute({
    ...one,
    id: 'events.rotate_webhook_secret',
    method: 'post',
    path: `${one.path}/rotate`,
    title: 'Rotate the secret of a webhook endpoint',
    description:
      'Every request is signed with the new secret from now on, and with the former one for 24 hours more: `webhook-signature` has a signature of each.',
    output: webhookEndpointWithSecret,
    answer: {
      description: 'The endpoint, and its new secret: this answer is the only place where it appears.',
      example: { endpoint, secret },
    },
  }),
  test: defineMemberRoute({
    ...one,
    id: 'events.test_webhook_endpoint',
    method: 'post',
    path: `${one.path}/test`,
    title: 'Test a webhook endpoint',
    description:
      'Sends an event of the type `webhook.test` to this endpoint alone. The deliveries show its outcome.',
    output: z.strictObject({
      eventId: field(z.string(), 'The id of the test event: see the deliveries.'),
    }),
    answer: { description: 'The id of the event.', example: { eventId } },
  }),
  resend: defineMemberRoute({
    ...one,
    id: 'events.resend_webhook_delivery',
    method: 'post',
    path: `${one.path}/deliveries/{deliveryId}/resend`,
    title: 'Send one delivery again',
    description:
      'Sends its event again at once and alone, also when it is delivered or dead. One that waits for an earlier event of its subject stays in its place.',
    input: named.extend({ deliveryId: field(opaqueId, 'The id of a delivery.', eventId) }),
    output: z.strictObject({ delivery: webhookDelivery }),
    answer: { description: 'The delivery.', example: { delivery: { ...delivery, status: 'waiting' } } },
    errors: [...one.errors, 'webhook_delivery_not_found'],
  }),
  deliveries: defineMemberRoute({
    ...one,
    id: 'events.list_webhook_deliveries',
    method: 'get',
    path: `${one.path}/deliveries`,
    title: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first. Delivered ones are listed for a day, dead ones for 30 days. Follow nextCursor until it is null.',
    input: named.extend({
      status: field(deliveryStatus.optional(), 'Only those with this status.', 'dead'),
      ...paging,
    }),
    output: z.strictObject({ deliveries: z.array(webhookDelivery), nextCursor }),
    answer: { description: 'A page of deliveries.', example: { deliveries: [delivery], nextCursor: null } },
  }),
};

export type NewWebhookEndpoint = z.output<typeof webhookRoutes.create.input>;
