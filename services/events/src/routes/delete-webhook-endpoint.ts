import { webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.delete_webhook_endpoint` */
export function serveDeleteWebhookEndpoint({ endpoints, deliveries, requireOwner }: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.delete, requireOwner, async ({ id }, context) => {
    const deleted = await endpoints.delete(context.session.workspaceId, id, context);
    await deliveries.delete(deleted, context);
    return { endpoint: describeEndpoint(deleted) };
  });
}
