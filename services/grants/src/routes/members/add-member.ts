import { ActionError, membershipRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeForOwners, memberKey } from '../../members/stored-member.ts';
import { requireFresh } from './require-fresh.ts';

/** `grants.add_member`: adds a user to an Owner's Workspace, or a removed Member again. */
export function serveAddMemberByOwner({ members, memberChanges }: Dependencies): ServedCall {
  return serveMemberRoute(membershipRoutes.add, members.requireOwner, async (input, context, owner) => {
    const { userId, role, displayName } = input;
    if (role === 'owner') requireFresh(context);
    const key = memberKey(owner._id.workspace_id, userId);
    const { member, isChanged } = await memberChanges.add(key, { role, displayName }, context);
    const isOther =
      member.role !== role || (displayName !== undefined && displayName !== (member.display_name ?? ''));
    if (!isChanged && isOther) throw alreadyThere(userId);
    return { member: describeForOwners(member) };
  });
}

function alreadyThere(userId: string): ActionError {
  const message = `userId: ${JSON.stringify(userId)} is already a Member, with another role or name; change them with PATCH /api/v1/members/{userId}.`;
  return new ActionError('invalid_request', { message });
}
