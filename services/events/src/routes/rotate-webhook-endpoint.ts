import { ActionError, webhookRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { createSecret, rotated } from '../webhooks/endpoints/endpoint-secrets.ts';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.rotate_webhook_endpoint` */
export function serveRotateWebhookEndpoint({ endpoints, keys, requireOwner }: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.rotate, requireOwner, async ({ id }, context) => {
    if (keys.newest === undefined) throw new ActionError('action_platform_unavailable');
    let shown = '';
    const { endpoint } = await endpoints.change(context.session.workspaceId, id, context, (present) => {
      const now = new Date();
      const { secret, stored } = createSecret(present, keys, now);
      shown = secret;
      return { secrets: rotated(stored, present.secrets, now), is_secret_used: true };
    });
    return { endpoint: describeEndpoint(endpoint), secret: shown };
  });
}
