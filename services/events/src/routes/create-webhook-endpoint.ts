import { webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { createEndpoint } from '../webhooks/create-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.create_webhook_endpoint` */
export function serveCreateWebhookEndpoint(webhooks: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.create, webhooks.requireOwner, (request, context) =>
    createEndpoint(webhooks, request, context.session, context),
  );
}
