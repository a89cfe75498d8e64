import { findSenders } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `mail.find_senders` */
export function serveFindSenders({ senders }: Dependencies): ServedCall {
  return serveCall(findSenders, async ({ workspaceId, userId, connectionId, ids }, context) => {
    const visible = await senders.visibleTo({ workspaceId, userId, connectionId }, context);
    const known = new Set(visible.map(({ senderId }) => senderId));
    return { found: ids.filter((id) => known.has(id)) };
  });
}
