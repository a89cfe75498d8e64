import { randomUUID } from 'node:crypto';
import { type WebhookTestEvent, webhookRoutes } from '@action-platform/contracts';
import { type MemberContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { refuseDisabled } from '../webhooks/refusals.ts';
import { newDelivery } from '../webhooks/stored-delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.test_webhook_endpoint` */
export function serveTestWebhookEndpoint(webhooks: Webhooks): ServedCall {
  const { endpoints, deliveries, announce, requireOwner } = webhooks;
  return serveMemberRoute(webhookRoutes.test, requireOwner, async ({ id }, context) => {
    const endpoint = await endpoints.require(context.session.workspaceId, id, context);
    refuseDisabled(endpoint);
    const event = testEvent(id, context);
    // The last tests are kept, and no more, however many there are.
    const former = await endpoints.keepTest(endpoint, event.id, context);
    if (former !== undefined) await deliveries.delete(endpoint, former, context);
    const named = { workspaceId: endpoint.workspace_id, endpointId: id, event, text: JSON.stringify(event) };
    await deliveries.add([newDelivery({ ...named, order: '', lane: event.id })]);
    announce([{ workspace_id: endpoint.workspace_id, endpoint_id: id }]);
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
