import { webhookCalls } from '@action-platform/contracts';
import { type ServedCall, serveMemberCall } from '@action-platform/service-host';
import { findEvent } from '../webhooks/find-event.ts';
import { orderOf } from '../webhooks/order.ts';
import { refuseDisabled, refuseInput } from '../webhooks/refusals.ts';
import { describeEndpoint } from '../webhooks/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.replay_webhook_events` */
export function serveReplayWebhookEvents(webhooks: Webhooks): ServedCall {
  const { bus, endpoints, deliveries, announce, epoch, requireOwner } = webhooks;
  return serveMemberCall(webhookCalls.replay, requireOwner, async ({ id, eventId }, context) => {
    const endpoint = await endpoints.require(context.session.workspaceId, id, context);
    refuseDisabled(endpoint);
    const place = await findEvent(bus, endpoint.workspace_id, eventId, context);
    if (place === undefined) throw refuseInput('eventId: no kept event of the Workspace has this id.');
    const from = orderOf(await epoch(context), place);
    // First no later event is attempted any more, then those that wait leave the queue: each comes back in its turn.
    await endpoints.replay(endpoint, from, context);
    await deliveries.hold(endpoint, from, context);
    announce([]);
    return { endpoint: describeEndpoint(endpoint) };
  });
}
