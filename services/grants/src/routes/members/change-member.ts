import { membershipRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeForOwners, memberKey } from '../../members/stored-member.ts';
import { requireFresh } from './require-fresh.ts';

/** `grants.change_member`: changes the role or the display name of a Member of an Owner's Workspace. */
export function serveChangeMember({ members, memberChanges }: Dependencies): ServedCall {
  return serveMemberRoute(membershipRoutes.change, members.requireOwner, async (input, context, owner) => {
    const { userId, role, displayName } = input;
    const key = memberKey(owner._id.workspace_id, userId);
    if (role === 'owner') requireFresh(context);
    if (role !== undefined) await memberChanges.setRole(key, role, {}, context);
    if (displayName !== undefined) await memberChanges.setName(key, displayName, context);
    return { member: describeForOwners(await members.whole(key, context)) };
  });
}
