import { type Grant, type GrantKind, grantRoutes, type Timed } from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { describeGrant, grantState } from '../grants/status.ts';
import type { Membership } from '../members/stored-member.ts';

/** The number of grants in one query: a routine grant may list thousands of ids, and takes up to 0.5 ms to read. */
const READ_TOGETHER: Readonly<Record<GrantKind, number>> = { operation: 50, routine: 20 };
/** The most grants that a page reads; a filter that few grants match takes several pages. */
const LOOKED_AT_MAX = 1000;

/**
 * `grants.list_operation_grants`, `grants.list_routine_grants`: the grants of a kind that the Member sees, newest first.
 * Grants derives the status from grant and membership, so the filter applies after the read.
 */
export function serveListGrants(kind: GrantKind, dependencies: Dependencies): ServedCall {
  const { members, limits, cursors } = dependencies;
  return serveMemberRoute(grantRoutes[kind].list, members.requireSignedIn, async (query, context, member) => {
    const { status, limit, cursor } = query;
    const listing = JSON.stringify(['grants', member._id.workspace_id, kind, status]);
    const after = cursors.positionIn(listing, cursor);
    const page = await readPage(describedGrants(dependencies, member, kind, after, context), {
      limit,
      maxBytes: limits.PAGE_MAX_BYTES,
      bytesOf: (grant) => Buffer.byteLength(JSON.stringify(grant)),
      isWanted: (grant) => status === undefined || grant.status === status,
      maxRead: LOOKED_AT_MAX,
    });
    return { grants: [...page.items], nextCursor: cursors.next(listing, page, ({ id }) => id) };
  });
}

async function* describedGrants(
  { members, grants }: Dependencies,
  member: Membership,
  kind: GrantKind,
  after: string | undefined,
  timed: Timed,
): AsyncGenerator<Grant> {
  let position = after;
  for (;;) {
    const read = await grants.page(member, kind, position, READ_TOGETHER[kind], timed);
    yield* await Promise.all(
      read.map(async (grant) => {
        const holder = await members.holderOf(grant, timed);
        return describeGrant(grant, grantState(grant, holder, grant.as_of));
      }),
    );
    if (read.length < READ_TOGETHER[kind]) return;
    position = read.at(-1)!._id;
  }
}
