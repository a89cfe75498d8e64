import type { Bus } from '@action-platform/bus';
import {
  ActionError,
  type ChangeEvent,
  requireTimeLeft,
  type Timed,
  webhookRoutes,
} from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Position } from '../feed/position.ts';
import { readPage } from '../feed/read-page.ts';
import { describeEndpoint } from '../webhooks/endpoints/stored-endpoint.ts';
import { orderOf } from '../webhooks/queue/order.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** `events.replay_webhook_events` */
export function serveReplayWebhookEvents(webhooks: Webhooks): ServedCall {
  const { bus, endpoints, fanOut, requireOwner } = webhooks;
  return serveMemberRoute(webhookRoutes.replay, requireOwner, async ({ id, eventId }, context) => {
    const endpoint = await endpoints.requireEnabled(context.session.workspaceId, id, context);
    const position = await positionOf(bus, endpoint.workspace_id, eventId, context);
    if (position === undefined) {
      const message = 'eventId: no kept event of the Workspace has this id.';
      throw new ActionError('invalid_request', { message });
    }
    await endpoints.fallBehind(endpoint, orderOf(await fanOut.epoch(context), position), context);
    return { endpoint: describeEndpoint(endpoint) };
  });
}

/** The position of an event of a Workspace in the stream; undefined when the stream does not have it any more. */
async function positionOf(
  bus: Bus,
  workspaceId: string,
  eventId: string,
  timed: Timed,
): Promise<Position | undefined> {
  for (let from: Position = { sequence: 1, index: 0 }; ; ) {
    requireTimeLeft(timed);
    const isWanted = ({ id }: ChangeEvent) => id === eventId;
    const { positions, next, isAtEnd } = await readPage(bus, { workspaceId, from, limit: 1, isWanted });
    const [after] = positions;
    if (after !== undefined) return { ...after, index: after.index - 1 };
    if (isAtEnd) return undefined;
    from = next;
  }
}
