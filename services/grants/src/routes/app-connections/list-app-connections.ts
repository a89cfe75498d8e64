import { ActionError, appConnectionRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeConnection } from '../../connections/app-connections.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.list_app_connections`: a Member's own, or for an Owner those of the Workspace. */
export function serveListAppConnections({ members, connections, otherServices }: Dependencies): ServedCall {
  const { list } = appConnectionRoutes;
  return serveMemberRoute(list, members.requireSignedIn, async ({ userId }, context, { _id, role }) => {
    const isOwner = role === 'owner';
    if (!isOwner && userId !== undefined && userId !== _id.user_id)
      throw new ActionError('owner_role_required');
    const found = await connections.list(_id.workspace_id, isOwner ? userId : _id.user_id, context);
    const ids = found.map(({ id }) => id);
    const mailboxes = await otherServices.mailboxes(_id.workspace_id, ids, context);
    return { connections: found.map((each) => describeConnection(each, mailboxes.get(each.id))) };
  });
}
