import { webhookRoutes } from '@action-platform/contracts';
import { destinationUrl } from '@action-platform/outbound-http';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { EndpointChange } from '../webhooks/endpoints/endpoints.ts';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.change_webhook_endpoint` */
export function serveChangeWebhookEndpoint({
  endpoints,
  deliveries,
  policy,
  requireOwner,
}: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.change, requireOwner, async (request, context) => {
    const { id, url, types, collectionIds, description, status } = request;
    const change: EndpointChange = {
      ...(url !== undefined && { url: destinationUrl(url, policy) }),
      ...(types !== undefined && { types }),
      ...(collectionIds !== undefined && { collection_ids: collectionIds }),
      ...(description !== undefined && { description }),
    };
    const { endpoint } = await endpoints.change(context.session.workspaceId, id, context, (present) => {
      if (status === undefined || status === present.status) return change;
      return status === 'disabled'
        ? { ...change, status, disabled_reason: 'by_owner', behind: null }
        : { ...change, status, disabled_reason: null, failing_since: null };
    });
    if (status === 'disabled') await deliveries.endWaiting(endpoint, context);
    return { endpoint: describeEndpoint(endpoint) };
  });
}
