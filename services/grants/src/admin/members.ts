import {
  addMember,
  eraseMember,
  listMembers,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeMember, memberKey } from '../members/stored-member.ts';
import { endMembership } from '../other-services/end-membership.ts';

/** The commands for the Members of a Workspace. A repetition changes nothing. */
export function serveMemberCommands(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, erasureDelayMs: afterMs } = dependencies;
  return [
    serveCall(listMembers, async ({ workspace }, context) => ({
      members: (await members.list(workspace, context)).map(describeMember),
    })),

    serveCall(addMember, async ({ workspace, user, role }, context) => {
      const { member } = await memberChanges.add(memberKey(workspace, user), { role }, context);
      // A change of role stops all their grants, so it has a command of its own.
      if (member.role !== role) {
        throw new ActionError('invalid_request', {
          message: `role: ${JSON.stringify(user)} is already a Member with the role ${member.role}; change their role instead.`,
        });
      }
      return { member: describeMember(member) };
    }),

    serveCall(removeMember, async ({ workspace, user, force }, context) => {
      const { member } = await endMembership(dependencies, memberKey(workspace, user), { force }, context);
      return { member: describeMember(member) };
    }),

    serveCall(eraseMember, async ({ workspace, user, force, again }, context) => {
      const key = memberKey(workspace, user);
      await endMembership(dependencies, key, { force }, context);
      return { member: describeMember(await memberChanges.erase(key, { afterMs, again }, context)) };
    }),

    serveCall(setMemberRole, async ({ workspace, user, role, force }, context) => {
      const key = memberKey(workspace, user);
      const { member } = await memberChanges.setRole(key, role, { force }, context);
      return { member: describeMember(member) };
    }),
  ];
}
