import { webhookRoutes } from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeDelivery } from '../webhooks/queue/stored-delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.list_webhook_deliveries` */
export function serveListWebhookDeliveries({
  endpoints,
  deliveries,
  cursors,
  limits,
  requireOwner,
}: Webhooks): ServedCall {
  return serveMemberRoute(webhookRoutes.deliveries, requireOwner, async (query, context) => {
    const { id, status, limit, cursor } = query;
    const endpoint = await endpoints.require(context.session.workspaceId, id, context);
    const listing = JSON.stringify(['webhook_deliveries', endpoint.workspace_id, id, status]);
    const position = cursors.positionIn(listing, cursor);
    const [time, delivery] = position?.split(' ') ?? [];
    const after = time === undefined ? undefined : { createdAt: new Date(Number(time)), id: delivery! };
    const page = await readPage(deliveries.list(endpoint, status, after, limit + 1, context), {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: (item) => Buffer.byteLength(JSON.stringify(item)),
    });
    return {
      deliveries: page.items.map(describeDelivery),
      nextCursor: cursors.next(listing, page, ({ created_at, _id }) => `${created_at.getTime()} ${_id}`),
    };
  });
}
