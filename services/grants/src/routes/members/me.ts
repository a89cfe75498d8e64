import { type ConnectedApp, membershipRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.get_me`: the signed-in Member. */
export function serveMe({ members }: Dependencies): ServedCall {
  return serveMemberRoute(membershipRoutes.me, members.requireSignedIn, async (_input, context, member) => {
    const { workspace_id: workspaceId, user_id: userId } = member._id;
    return {
      workspaceId,
      userId,
      role: member.role,
      displayName: (await members.whole(member._id, context)).display_name ?? null,
      apps: Object.keys(member.connections) as ConnectedApp[],
    };
  });
}
