import { webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.get_webhook_endpoint` */
export function serveGetWebhookEndpoint({ endpoints, requireOwner }: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.get, requireOwner, async ({ id }, context) => {
    return { endpoint: describeEndpoint(await endpoints.require(context.session.workspaceId, id, context)) };
  });
}
