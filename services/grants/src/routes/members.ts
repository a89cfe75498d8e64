import type { ConnectedApp, Role } from '@action-platform/contracts/authority';
import {
  addMember,
  eraseMember,
  listMembers,
  removeMember,
  setMemberRole,
} from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { membershipRoutes as routes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  type MemberContext,
  type ServedCall,
  serveCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import type { z } from 'zod';
import type { Dependencies } from '../dependencies.ts';
import type { Forced } from '../members/member-changes.ts';
import {
  type Caller,
  describeForOperators,
  describeForOwners,
  memberKey,
  operatorOf,
} from '../members/stored-member.ts';

/** The handlers that routes and operators' commands share. With `force` a Workspace may lose its last Owner. */
function membershipHandlers(dependencies: Dependencies) {
  const { members, memberChanges, grants, mailboxChanges } = dependencies;
  return {
    add: async (
      { userId, role, displayName }: z.output<typeof routes.add.input>,
      context: CallContext,
      { _id }: Caller,
    ) => {
      const key = memberKey(_id.workspace_id, userId);
      const { member, isChanged } = await memberChanges.add(key, { role, displayName }, context);
      if (!isChanged && member.role !== role) throw alreadyThere(userId, member.role);
      return { member: describeForOwners(member) };
    },

    change: async (
      { userId, role, displayName, force = false }: z.output<typeof routes.change.input> & Forced,
      context: CallContext,
      { _id }: Caller,
    ) => {
      const key = memberKey(_id.workspace_id, userId);
      if (role !== undefined) await memberChanges.setRole(key, role, { force }, context);
      if (displayName !== undefined) await memberChanges.setName(key, displayName, context);
      return { member: describeForOwners(await members.whole(key, context)) };
    },

    remove: async (
      { userId, force = false }: z.output<typeof routes.remove.input> & Forced,
      context: CallContext,
      { _id }: Caller,
    ) => {
      const key = memberKey(_id.workspace_id, userId);
      const { member, isChanged } = await memberChanges.remove(key, { force }, context);
      // Mail deletes the secrets of their mailboxes.
      await mailboxChanges.follow(key, context);
      const stoppedGrants = isChanged ? await grants.stoppedByEnd(member, context) : 0;
      return { member: describeForOwners(member), stoppedGrants };
    },
  };
}

/** The routes for the signed-in Member, and those with which Owners manage the Members of their Workspace. */
export function serveMembershipRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, cursors, limits } = dependencies;
  const { requireOwner } = members;
  const { add, change, remove } = membershipHandlers(dependencies);
  return [
    serveMemberRoute(
      routes.me,
      (session, context) => members.signedIn(session, context),
      async (_input, context, { _id, role, connections }) => ({
        workspaceId: _id.workspace_id,
        userId: _id.user_id,
        role,
        displayName: (await members.whole(_id, context)).display_name ?? null,
        apps: Object.keys(connections) as ConnectedApp[],
      }),
    ),

    serveMemberRoute(routes.list, requireOwner, async ({ state, limit, cursor }, context, { _id }) => {
      const listing = JSON.stringify(['members', _id.workspace_id, state]);
      const page = await cursors.page(listing, cursor, {
        read: (after) => members.from(_id.workspace_id, after, state, context),
        positionOf: (member) => member._id.user_id,
        limit,
        maxBytes: limits.PAGE_MAX_BYTES,
        bytesOf: (member) => Buffer.byteLength(JSON.stringify(describeForOwners(member))),
      });
      return { members: page.items.map(describeForOwners), nextCursor: page.next };
    }),

    serveMemberRoute(routes.add, requireOwner, async (input, context, owner) => {
      if (input.role === 'owner') requireFresh(context);
      return await add(input, context, owner);
    }),

    serveMemberRoute(routes.change, requireOwner, async (input, context, owner) => {
      if (input.role === 'owner') requireFresh(context);
      return await change(input, context, owner);
    }),

    serveMemberRoute(routes.remove, requireOwner, remove),
  ];
}

/** The commands for the Members of a Workspace. A repetition changes nothing. */
export function serveMemberCommands(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, erasureDelayMs: afterMs } = dependencies;
  const { add, change, remove } = membershipHandlers(dependencies);
  return [
    serveCall(listMembers, async ({ workspace }, context) => ({
      members: await members.list(workspace, describeForOperators, context),
    })),

    serveCall(addMember, ({ workspace, user: userId, role }, context) =>
      add({ userId, role }, context, operatorOf(workspace)),
    ),

    serveCall(setMemberRole, ({ workspace, user: userId, role, force }, context) =>
      change({ userId, role, force }, context, operatorOf(workspace)),
    ),

    serveCall(removeMember, ({ workspace, user: userId, force }, context) =>
      remove({ userId, force }, context, operatorOf(workspace)),
    ),

    serveCall(eraseMember, async ({ workspace, user: userId, force, again }, context) => {
      await remove({ userId, force }, context, operatorOf(workspace));
      const erasure = { afterMs, again };
      const member = await memberChanges.erase(memberKey(workspace, userId), erasure, context);
      return { member: describeForOperators(member) };
    }),
  ];
}

/** Throws ActionError `fresh_sign_in_required`: a program with an Owner's ordinary session must not get past the approval of its calls. */
export function requireFresh({ session }: Pick<MemberContext, 'session'>): void {
  if (!session.isFresh) throw new ActionError('fresh_sign_in_required');
}

function alreadyThere(userId: string, role: Role): ActionError {
  return new ActionError('invalid_request', {
    message: `userId: ${JSON.stringify(userId)} is already a Member, with the role ${role}; change the Member instead.`,
    next: 'Change the role with PATCH /api/v1/members/{userId}.',
  });
}
