import { randomUUID } from 'node:crypto';
import { type WebhookTestEvent, webhookRoutes } from '@action-platform/contracts/resources';
import { type MemberContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { deliveryId, newDelivery } from '../webhooks/queue/stored-delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** How many test events of an endpoint are kept. */
const TESTS_KEPT = 10;

/** `events.test_webhook_endpoint` */
export function serveTestWebhookEndpoint(webhooks: Webhooks): ServedCall {
  const { endpoints, deliveries, worker, requireOwner } = webhooks;
  return serveMemberRoute(webhookRoutes.test, requireOwner, async ({ id }, context) => {
    const endpoint = await endpoints.requireEnabled(context.session.workspaceId, id, context);
    const event = testEvent(id, context);
    // Each test replaces the tenth before it, so their number has a limit.
    const number = (await endpoints.countTest(endpoint, context)) % TESTS_KEPT;
    const row = { _id: deliveryId(id, `test_${number}`), lane: event.id, order: '' };
    await deliveries.put(newDelivery(endpoint, event, row), context);
    worker.notify([endpoint]);
    return { eventId: event.id };
  });
}

function testEvent(endpointId: string, { session, requestId }: MemberContext): WebhookTestEvent {
  return {
    specversion: '1.0',
    id: `evt_${randomUUID().replaceAll('-', '')}`,
    source: `/workspaces/${session.workspaceId}/events`,
    type: 'webhook.test',
    subject: endpointId,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { actor: { user_id: session.userId }, request_id: requestId },
  };
}
