import { randomUUID } from 'node:crypto';
import { ActionError, type WebhookTestEvent, webhookCalls } from '@action-platform/contracts';
import { type MemberCallContext, type ServedCall, serveMemberCall } from '@action-platform/service-host';
import { changeEndpoint } from '../webhooks/change-endpoint.ts';
import { newDelivery } from '../webhooks/delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.test_webhook_endpoint` */
export function serveTestWebhookEndpoint(webhooks: Webhooks): ServedCall {
  const { deliveries, dispatcher, requireOwner } = webhooks;
  return serveMemberCall(webhookCalls.test, requireOwner, async ({ id }, context) => {
    const event = testEvent(id, context);
    await changeEndpoint(webhooks, id, context, async (present) => {
      if (present.status === 'disabled') {
        throw new ActionError('invalid_request', { message: 'The endpoint is disabled: enable it first.' });
      }
      const { id: eventId, type, subject } = event;
      const delivery = { eventId, type, subject, sequence: 0, index: 0, event: JSON.stringify(event) };
      await deliveries.put([newDelivery(delivery, Date.now())], present, context);
      return {};
    });
    dispatcher.nudge();
    return { eventId: event.id };
  });
}

function testEvent(endpointId: string, { session, requestId }: MemberCallContext<unknown>): WebhookTestEvent {
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
