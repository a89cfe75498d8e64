import type { ConnectedApp } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import { membershipRoutes as routes } from '@action-platform/contracts/resources';
import { readPage } from '@action-platform/sealing';
import { type MemberContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeForOwners, memberKey } from '../members/stored-member.ts';
import { endMembership } from '../other-services/end-membership.ts';

/** The routes for the signed-in Member, and those with which Owners manage the Members of their Workspace. */
export function serveMembershipRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, grants, cursors, limits } = dependencies;
  const { requireSignedIn, requireOwner } = members;
  return [
    serveMemberRoute(routes.me, requireSignedIn, async (_input, context, { _id, role, connections }) => ({
      workspaceId: _id.workspace_id,
      userId: _id.user_id,
      role,
      displayName: (await members.whole(_id, context)).display_name ?? null,
      apps: Object.keys(connections) as ConnectedApp[],
    })),

    serveMemberRoute(routes.list, requireOwner, async ({ state, limit, cursor }, context, { _id }) => {
      const listing = JSON.stringify(['members', _id.workspace_id, state]);
      const after = cursors.positionIn(listing, cursor);
      const page = await readPage(members.from(_id.workspace_id, after, state, context), {
        limit,
        maxBytes: limits.PAGE_MAX_BYTES,
        bytesOf: (member) => Buffer.byteLength(JSON.stringify(describeForOwners(member))),
      });
      return {
        members: page.items.map(describeForOwners),
        nextCursor: cursors.next(listing, page, (member) => member._id.user_id),
      };
    }),

    serveMemberRoute(routes.add, requireOwner, async ({ userId, role, displayName }, context, owner) => {
      if (role === 'owner') requireFresh(context);
      const key = memberKey(owner._id.workspace_id, userId);
      const { member, isChanged } = await memberChanges.add(key, { role, displayName }, context);
      const isOther =
        member.role !== role || (displayName !== undefined && displayName !== (member.display_name ?? ''));
      if (!isChanged && isOther) throw alreadyThere(userId);
      return { member: describeForOwners(member) };
    }),

    serveMemberRoute(routes.change, requireOwner, async ({ userId, role, displayName }, context, owner) => {
      const key = memberKey(owner._id.workspace_id, userId);
      if (role === 'owner') requireFresh(context);
      if (role !== undefined) await memberChanges.setRole(key, role, {}, context);
      if (displayName !== undefined) await memberChanges.setName(key, displayName, context);
      return { member: describeForOwners(await members.whole(key, context)) };
    }),

    serveMemberRoute(routes.remove, requireOwner, async ({ userId }, context, owner) => {
      const key = memberKey(owner._id.workspace_id, userId);
      const { member, isChanged } = await endMembership(dependencies, key, { force: false }, context);
      const stoppedGrants = isChanged ? await grants.stoppedByEnd(member, context) : 0;
      return { member: describeForOwners(member), stoppedGrants };
    }),
  ];
}

/** Throws ActionError `fresh_sign_in_required`: a program with an Owner's ordinary session must not get past the approval of its calls. */
export function requireFresh({ session }: Pick<MemberContext, 'session'>): void {
  if (!session.isFresh) throw new ActionError('fresh_sign_in_required');
}

function alreadyThere(userId: string): ActionError {
  const message = `userId: ${JSON.stringify(userId)} is already a Member, with another role or name; change them with PATCH /api/v1/members/{userId}.`;
  return new ActionError('invalid_request', { message });
}
