import { eraseMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember, memberKey } from '../../members/stored-member.ts';

/** `admin.grants.erase_member`: ends a membership, and has the data of the user in the Workspace erased. */
export function serveEraseMember({ members, otherServices, erasureDelayMs }: Dependencies): ServedCall {
  return serveCall(eraseMember, async ({ workspace, user, force, again }, context) => {
    const key = memberKey(workspace, user);
    await members.requireWorkspace(workspace, context);
    if (!force) await members.requireAnotherOwner(key, context);
    await members.remove(key, context);
    await otherServices.keepMailbox(key, undefined, context);
    return { member: describeMember(await members.erase(key, { afterMs: erasureDelayMs, again }, context)) };
  });
}
