import { setMemberRole } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';

/** `admin.grants.set_member_role`: sets the role of an active Member; their present role changes nothing. */
export function serveSetMemberRole({ memberChanges }: Dependencies): ServedCall {
  return serveCall(setMemberRole, async ({ workspace, user, role, force }, context) => {
    const key = memberKey(workspace, user);
    const { member } = await memberChanges.setRole(key, role, { force }, context);
    return { member: describeMember(member) };
  });
}
