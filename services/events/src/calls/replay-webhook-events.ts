import { ActionError, webhookCalls } from '@action-platform/contracts';
import { type ServedCall, serveMemberCall } from '@action-platform/service-host';
import { changeEndpoint } from '../webhooks/change-endpoint.ts';
import { describeEndpoint } from '../webhooks/stored-endpoint.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.replay_webhook_events` */
export function serveReplayWebhookEvents(webhooks: Webhooks): ServedCall {
  const { deliveries, dispatcher, events, requireOwner } = webhooks;
  return serveMemberCall(webhookCalls.replay, requireOwner, async ({ id, eventId }, context) => {
    const endpoint = await changeEndpoint(webhooks, id, context, async (present) => {
      if (present.status === 'disabled') throw refusal('The endpoint is disabled: enable it first');
      const place = await events.find(present.workspace_id, eventId, context);
      if (place === undefined) throw refusal('eventId: no kept event of the Workspace has this id');
      await deliveries.deleteWaiting(present, place, context);
      return { position: place };
    });
    dispatcher.nudge();
    return { endpoint: describeEndpoint(endpoint) };
  });
}

function refusal(reason: string): ActionError {
  return new ActionError('invalid_request', { message: `${reason}.` });
}
