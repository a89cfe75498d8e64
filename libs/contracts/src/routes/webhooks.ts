import { z } from 'zod';
import {
  newWebhookEndpoint,
  oneWebhookDelivery,
  oneWebhookEndpoint,
  testedWebhook,
  webhookCalls,
  webhookDeliveryPage,
  webhookDeliveryQuery,
  webhookEndpointChange,
  webhookEndpointList,
  webhookEndpointWithSecret,
  webhookReplay,
} from '../calls/webhooks.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { bodyErrors, credentialErrors, platformFailures } from '../errors/groups.ts';
import { exampleIds } from '../operations/record-store/examples.ts';
import { idempotencyKeyHeader } from '../schema/idempotency-key.ts';
import type { Route } from './route.ts';

const path = '/api/v1/webhook-endpoints';
const common = { tag: 'events', caller: 'member' } as const;

const endpoint = {
  id: 'whe_0198f2d0c4b17a3e9d51c2aa40e7b6f3',
  workspaceId: 'ws_0198f2cf7a3c7d61a2f04be35c9d18e7',
  url: 'https://hooks.example.com/action-platform',
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
  subject: exampleIds.record,
  status: 'delivered',
  attempts: [{ at: '2026-05-01T09:31:00.100Z', status: 204, ms: 52 }],
  createdAt: '2026-05-01T09:31:00.000Z',
  nextAttemptAt: null,
  event: null,
};

const ownersOnly: readonly ErrorCode[] = [
  ...credentialErrors,
  'workspace_membership_required',
  'owner_role_required',
  'member_session_required',
];
const ofOne: readonly ErrorCode[] = [...ownersOnly, 'webhook_endpoint_not_found', 'route_not_found'];
const parameters = {
  path: z.strictObject({
    id: z.string().meta({ description: 'The id of an endpoint.', examples: [endpoint.id] }),
  }),
};
const described = (description: string) =>
  ({ status: 200, description, body: oneWebhookEndpoint, example: { endpoint } }) as const;

/** The routes that manage the endpoints of webhooks; only a signed-in Owner may use them. */
export const webhookRoutes = {
  list: {
    ...common,
    method: 'get',
    path,
    operationId: 'listWebhookEndpoints',
    title: 'List webhook endpoints',
    description: 'All of the Workspace, newest first; at most ten.',
    answers: [
      {
        status: 200,
        description: 'The endpoints.',
        body: webhookEndpointList,
        example: { endpoints: [endpoint] },
      },
    ],
    errors: ['invalid_request', ...ownersOnly, ...platformFailures.read],
  },
  create: {
    ...common,
    method: 'post',
    path,
    operationId: 'createWebhookEndpoint',
    title: 'Create a webhook endpoint',
    description:
      'The URL gets every event of the Workspace from now on, or those of some types and Collections, as a POST request signed by [Standard Webhooks](https://www.standardwebhooks.com). Events of one Record arrive in order; each arrives at least once, with the same `webhook-id` in every repetition.',
    parameters: { header: z.strictObject(idempotencyKeyHeader(webhookCalls.create.input)) },
    requestBody: {
      schema: newWebhookEndpoint,
      example: {
        url: endpoint.url,
        types: endpoint.types,
        description: endpoint.description,
        idempotencyKey: 'search-index-2026',
      },
    },
    answers: [
      {
        status: 201,
        description:
          'The endpoint, and the secret that signs: this answer is the only place where it appears.',
        body: webhookEndpointWithSecret,
        example: { endpoint, secret },
      },
    ],
    errors: [...bodyErrors, ...ownersOnly, ...platformFailures.write],
  },
  get: {
    ...common,
    method: 'get',
    path: `${path}/{id}`,
    operationId: 'getWebhookEndpoint',
    title: 'Get a webhook endpoint',
    description: 'Without its secret.',
    parameters,
    answers: [described('The endpoint.')],
    errors: ['invalid_request', ...ofOne, ...platformFailures.read],
  },
  change: {
    ...common,
    method: 'patch',
    path: `${path}/{id}`,
    operationId: 'changeWebhookEndpoint',
    title: 'Change a webhook endpoint',
    description: 'Changes the fields that are there; enables or disables the endpoint.',
    parameters,
    requestBody: { schema: webhookEndpointChange, example: { types: ['record.pushed'] } },
    answers: [described('The endpoint, changed.')],
    errors: [...bodyErrors, ...ofOne, ...platformFailures.write],
  },
  delete: {
    ...common,
    method: 'delete',
    path: `${path}/{id}`,
    operationId: 'deleteWebhookEndpoint',
    title: 'Delete a webhook endpoint',
    description: 'It gets nothing more, and its deliveries are deleted.',
    parameters,
    answers: [described('The endpoint as it was.')],
    errors: ['invalid_request', ...ofOne, ...platformFailures.write],
  },
  rotate: {
    ...common,
    method: 'post',
    path: `${path}/{id}/rotate`,
    operationId: 'rotateWebhookSecret',
    title: 'Rotate the secret of a webhook endpoint',
    description:
      'Every request is signed with the new secret from now on, and with the former one for 24 hours more: `webhook-signature` has a signature of each.',
    parameters,
    answers: [
      {
        status: 200,
        description: 'The endpoint, and its new secret: this answer is the only place where it appears.',
        body: webhookEndpointWithSecret,
        example: { endpoint, secret },
      },
    ],
    errors: ['invalid_request', ...ofOne, ...platformFailures.write],
  },
  test: {
    ...common,
    method: 'post',
    path: `${path}/{id}/test`,
    operationId: 'testWebhookEndpoint',
    title: 'Test a webhook endpoint',
    description:
      'Sends an event of the type `webhook.test` to this endpoint alone. The deliveries show its outcome.',
    parameters,
    answers: [
      {
        status: 200,
        description: 'The id of the event.',
        body: testedWebhook,
        example: { eventId },
      },
    ],
    errors: ['invalid_request', ...ofOne, ...platformFailures.write],
  },
  replay: {
    ...common,
    method: 'post',
    path: `${path}/{id}/replay`,
    operationId: 'replayWebhookEvents',
    title: 'Send events to a webhook endpoint again',
    description:
      'Sends the event with this id and everything after it again, in order. Events are kept for 7 days.',
    parameters,
    requestBody: { schema: webhookReplay, example: { eventId } },
    answers: [described('The endpoint.')],
    errors: [...bodyErrors, ...ofOne, ...platformFailures.write],
  },
  resend: {
    ...common,
    method: 'post',
    path: `${path}/{id}/deliveries/{deliveryId}/resend`,
    operationId: 'resendWebhookDelivery',
    title: 'Send one delivery again',
    description:
      'Sends its event again at once and alone, also when it is delivered or dead. One that waits for an earlier event of its subject stays in its place.',
    parameters: {
      path: parameters.path.extend({
        deliveryId: z.string().meta({ description: 'The id of a delivery.', examples: [eventId] }),
      }),
    },
    answers: [
      {
        status: 200,
        description: 'The delivery.',
        body: oneWebhookDelivery,
        example: { delivery: { ...delivery, status: 'waiting' } },
      },
    ],
    errors: ['invalid_request', ...ofOne, 'webhook_delivery_not_found', ...platformFailures.write],
  },
  deliveries: {
    ...common,
    method: 'get',
    path: `${path}/{id}/deliveries`,
    operationId: 'listWebhookDeliveries',
    title: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first. Delivered ones are listed for a day, dead ones for 30 days. Follow nextCursor until it is null.',
    parameters: { ...parameters, query: webhookDeliveryQuery },
    answers: [
      {
        status: 200,
        description: 'A page of deliveries.',
        body: webhookDeliveryPage,
        example: { deliveries: [delivery], nextCursor: null },
      },
    ],
    errors: ['invalid_request', ...ofOne, ...platformFailures.read],
  },
} as const satisfies Record<string, Route>;
