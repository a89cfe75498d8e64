import type { Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { webhookRoutes } from '@action-platform/contracts/resources';
import { destinationUrl } from '@action-platform/outbound-http';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { createSecret, newUrl, rotated } from '../webhooks/endpoints/endpoint-secrets.ts';
import type { EndpointChange } from '../webhooks/endpoints/endpoints.ts';
import { describeEndpoint, type EndpointId } from '../webhooks/endpoints/stored-endpoint.ts';
import { describeDelivery } from '../webhooks/queue/stored-delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { serveCreateWebhookEndpoint } from './create-webhook-endpoint.ts';
import { requireEventsOfForm, requirePages } from './taken-by-form.ts';
import { serveTestWebhookEndpoint } from './test-webhook-endpoint.ts';

/** How long the deletion of an endpoint removes its deliveries, in milliseconds. */
const REMOVED_WITHIN_MS = 2_000;

/** The routes with which Owners manage the webhook endpoints of their Workspace, and their deliveries. */
export function serveWebhookRoutes(webhooks: Webhooks): ServedCall[] {
  const { endpoints, deliveries, worker, keys, policy, cursors, limits, requireOwner } = webhooks;
  // The endpoint is deleted already. No route lists the deliveries that are left, and the database deletes these at their time.
  const removeDeliveries = async (endpoint: EndpointId, { deadline }: Timed): Promise<void> => {
    const soon = { deadline: Math.min(deadline, performance.now() + REMOVED_WITHIN_MS) };
    await deliveries.delete(endpoint, soon).catch(() => {});
  };
  return [
    serveCreateWebhookEndpoint(webhooks),
    serveTestWebhookEndpoint(webhooks),

    serveMemberRoute(webhookRoutes.list, requireOwner, async (_query, context) => {
      const found = await endpoints.list(context.session.workspaceId, context);
      return { endpoints: found.map(describeEndpoint) };
    }),

    serveMemberRoute(webhookRoutes.get, requireOwner, async ({ id }, context) => {
      const found = await endpoints.require(context.session.workspaceId, id, context);
      return { endpoint: describeEndpoint(found) };
    }),

    serveMemberRoute(webhookRoutes.change, requireOwner, async (request, context) => {
      const { id, url, types, collectionIds: named, description, status } = request;
      const { workspaceId } = context.session;
      const collectionIds = named && (await webhooks.collectionIds(workspaceId, named, context));
      const whole = url === undefined ? undefined : destinationUrl(url, policy);
      const shared: EndpointChange = {
        ...(types !== undefined && { types }),
        ...(collectionIds !== undefined && { collection_ids: collectionIds }),
        ...(description !== undefined && { description }),
      };
      const { endpoint } = await endpoints.change(workspaceId, id, context, (present) => {
        requireEventsOfForm(present.form, request);
        if (status === 'enabled') requirePages(present.form, limits.PUBLIC_URL);
        const change = { ...shared, ...(whole !== undefined && newUrl(present, whole, keys)) };
        if (status === undefined || status === present.status) return change;
        return status === 'disabled'
          ? { ...change, status, disabled_reason: 'by_owner', behind: null }
          : { ...change, status, disabled_reason: null, failing_since: null };
      });
      if (status === 'disabled') await deliveries.endWaiting(endpoint, context);
      return { endpoint: describeEndpoint(endpoint) };
    }),

    serveMemberRoute(webhookRoutes.rotate, requireOwner, async ({ id }, context) => {
      if (keys.newest === undefined) throw new ActionError('action_platform_unavailable');
      let shown = '';
      const { endpoint } = await endpoints.change(context.session.workspaceId, id, context, (present) => {
        if (present.form !== undefined) {
          const message = 'The endpoint has no secret that signs: give it another url instead.';
          throw invalidRequest(message);
        }
        const now = new Date();
        const { secret, stored } = createSecret(present, keys, now);
        shown = secret;
        return { secrets: rotated(stored, present.secrets, now), is_secret_used: true };
      });
      return { endpoint: describeEndpoint(endpoint), secret: shown };
    }),

    serveMemberRoute(webhookRoutes.delete, requireOwner, async ({ id }, context) => {
      const { workspaceId: workspace_id } = context.session;
      const deleted = await endpoints.delete(workspace_id, id, context).catch(async (error: unknown) => {
        const isDeleted = error instanceof ActionError && error.code === 'webhook_endpoint_not_found';
        // A repetition removes deliveries that the first deletion had no time for.
        if (isDeleted) await removeDeliveries({ _id: id, workspace_id }, context);
        throw error;
      });
      await removeDeliveries(deleted, context);
      return { endpoint: describeEndpoint(deleted) };
    }),

    serveMemberRoute(webhookRoutes.resend, requireOwner, async ({ id, deliveryId }, context) => {
      const endpoint = await endpoints.requireEnabled(context.session.workspaceId, id, context);
      const found = await deliveries.find(endpoint, deliveryId, context);
      if (found === undefined) throw new ActionError('webhook_delivery_not_found');
      await deliveries.resend(found, context);
      worker.notify([endpoint]);
      return { delivery: describeDelivery((await deliveries.find(endpoint, deliveryId, context)) ?? found) };
    }),

    serveMemberRoute(webhookRoutes.deliveries, requireOwner, async (query, context) => {
      const { id, status, limit, cursor } = query;
      const endpoint = await endpoints.require(context.session.workspaceId, id, context);
      const listing = JSON.stringify(['webhook_deliveries', endpoint.workspace_id, id, status]);
      const page = await cursors.page(listing, cursor, {
        read: (position) => {
          const [time, delivery] = position?.split(' ') ?? [];
          const after = time === undefined ? undefined : { createdAt: new Date(Number(time)), id: delivery! };
          return deliveries.list(endpoint, status, after, limit + 1, context);
        },
        positionOf: ({ created_at, _id }) => `${created_at.getTime()} ${_id}`,
        limit,
        maxBytes: limits.PAGE_MAX_BYTES,
      });
      return { deliveries: page.items.map(describeDelivery), nextCursor: page.next };
    }),
  ];
}
