import { webhookCalls } from '@action-platform/contracts';
import { type ServedCall, serveMemberCall } from '@action-platform/service-host';
import { changeEndpoint } from '../webhooks/change-endpoint.ts';
import { endpointUrl } from '../webhooks/endpoint-url.ts';
import type { EndpointChange } from '../webhooks/endpoints.ts';
import { describeEndpoint } from '../webhooks/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.change_webhook_endpoint` */
export function serveChangeWebhookEndpoint(webhooks: Webhooks): ServedCall {
  const { deliveries, dispatcher, events, policy, requireOwner } = webhooks;
  return serveMemberCall(webhookCalls.change, requireOwner, async (request, context) => {
    const { id, url, types, description, status } = request;
    const change: EndpointChange = {
      ...(url !== undefined && { url: endpointUrl(url, policy) }),
      ...(types !== undefined && { types }),
      ...(description !== undefined && { description }),
    };
    const endpoint = await changeEndpoint(webhooks, id, context, async (present) => {
      if (status === undefined || status === present.status) return change;
      await deliveries.endWaiting(present, context);
      return status === 'disabled'
        ? { ...change, status, disabled_reason: 'by_owner' }
        : { ...change, status, disabled_reason: null, failing_since: null, position: await events.end() };
    });
    dispatcher.nudge();
    return { endpoint: describeEndpoint(endpoint) };
  });
}
