import { removeMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';
import { endMembership } from '../../other-services/end-membership.ts';

/** `admin.grants.remove_member`: ends a membership and its app connections; a repetition changes nothing. */
export function serveRemoveMember(dependencies: Dependencies): ServedCall {
  return serveCall(removeMember, async ({ workspace, user, force }, context) => {
    const { member } = await endMembership(dependencies, memberKey(workspace, user), { force }, context);
    return { member: describeMember(member) };
  });
}
