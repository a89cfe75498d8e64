import { removeMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';

/** `admin.grants.remove_member`: ends a membership and its app connections; a repetition changes nothing. */
export function serveRemoveMember({ members, otherServices }: Dependencies): ServedCall {
  return serveCall(removeMember, async ({ workspace, user, force }, context) => {
    const key = memberKey(workspace, user);
    await members.requireWorkspace(workspace, context);
    if (!force) await members.requireAnotherOwner(key, context);
    const member = await members.remove(key, context);
    await otherServices.keepMailbox(key, undefined, context);
    return { member: describeMember(member) };
  });
}
