import { ActionError, webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeDelivery } from '../webhooks/queue/stored-delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.resend_webhook_delivery` */
export function serveResendWebhookDelivery(webhooks: Webhooks): ServedCall {
  const { endpoints, deliveries, worker, requireOwner } = webhooks;
  return serveMemberRoute(webhookRoutes.resend, requireOwner, async ({ id, deliveryId }, context) => {
    const endpoint = await endpoints.requireEnabled(context.session.workspaceId, id, context);
    const found = await deliveries.find(endpoint, deliveryId, context);
    if (found === undefined) throw new ActionError('webhook_delivery_not_found');
    await deliveries.resend(found, context);
    worker.notify([endpoint]);
    return { delivery: describeDelivery((await deliveries.find(endpoint, deliveryId, context)) ?? found) };
  });
}
