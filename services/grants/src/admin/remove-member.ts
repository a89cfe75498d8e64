import { removeMember } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Collections } from '../database/collections.ts';
import { newEpoch } from '../members/epoch.ts';
import { memberKey } from '../members/member.ts';
import { describeMember } from './describe-member.ts';
import { noSuchMember } from './no-such-member.ts';

/** `admin.grants.remove_member`: ends a membership and its app connections; again changes nothing. */
export function removeMemberCall({ workspaces, members }: Collections): ServedCall {
  return serveCall(removeMember, async ({ workspace, user }) => {
    const _id = memberKey(workspace, user);
    const change = newEpoch('member_removed', { status: 'removed', connections: {} });
    const removed = await members.findOneAndUpdate({ _id, status: 'active' }, change, {
      returnDocument: 'after',
    });
    const member = removed ?? (await members.findOne({ _id }));
    if (member === null) throw await noSuchMember({ workspaces }, workspace, user);
    return { member: describeMember({ ...member, status: 'removed' }) };
  });
}
