import { webhookCalls } from '@action-platform/contracts';
import { type ServedCall, serveMemberCall } from '@action-platform/service-host';
import { describeEndpoint } from '../webhooks/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.delete_webhook_endpoint` */
export function serveDeleteWebhookEndpoint(webhooks: Webhooks): ServedCall {
  const { endpoints, deliveries, dispatcher, requireOwner } = webhooks;
  return serveMemberCall(webhookCalls.delete, requireOwner, async ({ id }, context) => {
    const endpoint = await endpoints.require(context.session.workspaceId, id, context);
    await endpoints.delete(endpoint, context);
    dispatcher.nudge();
    await deliveries.deleteAll(endpoint, context);
    return { endpoint: describeEndpoint(endpoint) };
  });
}
