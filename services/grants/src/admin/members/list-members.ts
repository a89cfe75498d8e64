import { listMembers } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeMember } from '../../members/stored-member.ts';

/** `admin.grants.list_members` */
export function serveListMembers({ members }: Dependencies): ServedCall {
  return serveCall(listMembers, async ({ workspace }, context) => ({
    members: (await members.list(workspace, context)).map(describeMember),
  }));
}
