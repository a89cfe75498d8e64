import { webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.list_webhook_endpoints` */
export function serveListWebhookEndpoints({ endpoints, requireOwner }: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.list, requireOwner, async (_query, context) => {
    const found = await endpoints.list(context.session.workspaceId, context);
    return { endpoints: found.map(describeEndpoint) };
  });
}
