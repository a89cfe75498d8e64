import { eraseMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';
import { endMembership } from '../../other-services/end-membership.ts';

/** `admin.grants.erase_member`: ends a membership, and has the data of the user in the Workspace erased. */
export function serveEraseMember(dependencies: Dependencies): ServedCall {
  const { memberChanges, erasureDelayMs: afterMs } = dependencies;
  return serveCall(eraseMember, async ({ workspace, user, force, again }, context) => {
    const key = memberKey(workspace, user);
    await endMembership(dependencies, key, { force }, context);
    return { member: describeMember(await memberChanges.erase(key, { afterMs, again }, context)) };
  });
}
