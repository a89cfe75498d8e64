import { ActionError, addMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';

/**
 * `admin.grants.add_member`: adds a user, or a removed Member again. The command refuses an active Member with another
 * role, because a change of role stops all their grants.
 */
export function serveAddMember({ memberChanges }: Dependencies): ServedCall {
  return serveCall(addMember, async ({ workspace, user, role }, context) => {
    const { member } = await memberChanges.add(memberKey(workspace, user), { role }, context);
    if (member.role !== role) {
      throw new ActionError('invalid_request', {
        message: `role: ${JSON.stringify(user)} is already a Member with the role ${member.role}; change their role instead.`,
      });
    }
    return { member: describeMember(member) };
  });
}
