import { membershipRoutes } from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { describeForOwners } from '../../members/stored-member.ts';

/** `grants.list_members`: the Members of an Owner's Workspace, by user id. */
export function serveListMembersForOwner({ members, cursors, limits }: Dependencies): ServedCall {
  return serveMemberRoute(membershipRoutes.list, members.requireOwner, async (query, context, owner) => {
    const { state, limit, cursor } = query;
    const { workspace_id } = owner._id;
    const listing = JSON.stringify(['members', workspace_id, state]);
    const after = cursors.positionIn(listing, cursor);
    const page = await readPage(members.from(workspace_id, after, state, context), {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: (member) => Buffer.byteLength(JSON.stringify(describeForOwners(member))),
    });
    return {
      members: page.items.map(describeForOwners),
      nextCursor: cursors.next(listing, page, ({ _id }) => _id.user_id),
    };
  });
}
