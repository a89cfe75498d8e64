import { ActionError, addMember, type Role } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { Collections } from '../database/collections.ts';
import { newEpoch } from '../members/epoch.ts';
import { type Member, type MemberKey, memberKey } from '../members/member.ts';
import { describeMember } from './describe-member.ts';
import { noSuchWorkspace } from './no-such-member.ts';

/**
 * `admin.grants.add_member`: adds a user, or a removed Member again. An active Member with another role is
 * refused rather than changed: a new role stops all their grants, and nobody means that by "add".
 */
export function addMemberCall({ workspaces, members }: Collections): ServedCall {
  return serveCall(addMember, async ({ workspace, user, role }) => {
    if ((await workspaces.findOne({ _id: workspace })) === null) throw noSuchWorkspace(workspace);
    const member = await activated(members, memberKey(workspace, user), role);
    if (member.role !== role) {
      throw new ActionError('invalid_request', {
        message: `role: ${JSON.stringify(user)} is already a Member with the role ${member.role}; change their role instead.`,
      });
    }
    return { member: describeMember(member) };
  });
}

/** The active membership: the one there is, else the removed one come back, else a new one. */
async function activated(members: Collection<Member>, _id: MemberKey, role: Role): Promise<Member> {
  const back = newEpoch('member_added', { status: 'active', role });
  const returned = await members.findOneAndUpdate({ _id, status: 'removed' }, back, {
    returnDocument: 'after',
  });
  if (returned !== null) return returned;
  const first = { $setOnInsert: { role, status: 'active', epoch: 1, changes: [], connections: {} } } as const;
  const member = await members.findOneAndUpdate({ _id }, first, { upsert: true, returnDocument: 'after' });
  // Removed between the two updates: come back from that removal.
  return member?.status === 'active' ? member : await activated(members, _id, role);
}
