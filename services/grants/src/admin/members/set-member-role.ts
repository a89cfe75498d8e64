import { setMemberRole } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';

/** `admin.grants.set_member_role`: sets the role of an active Member; their present role changes nothing. */
export function serveSetMemberRole({ members }: Dependencies): ServedCall {
  return serveCall(setMemberRole, async ({ workspace, user, role, force }, context) => {
    const key = memberKey(workspace, user);
    await members.requireWorkspace(workspace, context);
    if (role !== 'owner' && !force) await members.requireAnotherOwner(key, context);
    return { member: describeMember(await members.setRole(key, role, context)) };
  });
}
