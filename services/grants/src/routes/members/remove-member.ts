import { membershipRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeForOwners, memberKey } from '../../members/stored-member.ts';
import { endMembership } from '../../other-services/end-membership.ts';

/** `grants.remove_member`: removes a Member of an Owner's Workspace, and says how many of their grants that stopped. */
export function serveRemoveMemberByOwner(dependencies: Dependencies): ServedCall {
  const { members, grants } = dependencies;
  return serveMemberRoute(
    membershipRoutes.remove,
    members.requireOwner,
    async ({ userId }, context, owner) => {
      const key = memberKey(owner._id.workspace_id, userId);
      const { member, isChanged } = await endMembership(dependencies, key, { force: false }, context);
      const stoppedGrants = isChanged ? await grants.stoppedByEnd(member, context) : 0;
      return { member: describeForOwners(member), stoppedGrants };
    },
  );
}
