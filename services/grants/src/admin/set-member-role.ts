import { setMemberRole } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Collections } from '../database/collections.ts';
import { newEpoch } from '../members/epoch.ts';
import { memberKey } from '../members/member.ts';
import { describeMember } from './describe-member.ts';
import { noSuchMember } from './no-such-member.ts';

/** `admin.grants.set_member_role`: gives an active Member a role; the one they have changes nothing. */
export function setMemberRoleCall({ workspaces, members }: Collections): ServedCall {
  return serveCall(setMemberRole, async ({ workspace, user, role }) => {
    const _id = memberKey(workspace, user);
    const change = newEpoch('role_changed', { role });
    const other = { _id, status: 'active', role: { $ne: role } } as const;
    const changed = await members.findOneAndUpdate(other, change, { returnDocument: 'after' });
    const member = changed ?? (await members.findOne({ _id, status: 'active' }));
    if (member === null) throw await noSuchMember({ workspaces }, workspace, user);
    return { member: describeMember({ ...member, role }) };
  });
}
