import {
  ActionError,
  type Grant,
  type GrantKind,
  grantKind,
  grantRoutes,
  type Timed,
} from '@action-platform/contracts';
import { readPage } from '@action-platform/paging';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import { describeGrant, grantState } from '../grants/status.ts';
import type { Membership } from '../members/stored-member.ts';
import { serveCreateRoutineGrant } from './create-routine-grant.ts';

/** The number of grants in one query: a routine grant may list thousands of ids, and takes up to 0.5 ms to read. */
const READ_TOGETHER: Readonly<Record<GrantKind, number>> = { operation: 50, routine: 20 };
/** The most grants that a page reads; a filter that few grants match takes several pages. */
const LOOKED_AT_MAX = 1000;

/** The routes for the grants of both kinds that a Member sees. */
export function serveGrantRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, grants, limits, cursors } = dependencies;
  const { requireSignedIn } = members;
  return [
    serveMemberRoute(grantRoutes.operation.create, requireSignedIn, (request, context, member) =>
      createGrant(dependencies, 'operation', request, context, member, async (createdAt) => {
        const named = [request.operationScope];
        const known = await knownOperations(dependencies, member._id.workspace_id, named, context);
        return {
          operations: grantableOperations(known, member, 'operationScope', named),
          expiresAt: expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
          terms: { kind: 'operation', name: request.name ?? null },
        };
      }),
    ),
    serveCreateRoutineGrant(dependencies),

    ...grantKind.options.flatMap((kind) => [
      serveMemberRoute(grantRoutes[kind].list, requireSignedIn, async (query, context, member) => {
        const { status, limit, cursor } = query;
        const listing = JSON.stringify(['grants', member._id.workspace_id, kind, status]);
        const after = cursors.positionIn(listing, cursor);
        // Grants derives the status from grant and membership, so the filter applies after the read.
        const page = await readPage(described(dependencies, member, kind, after, context), {
          limit,
          maxBytes: limits.PAGE_MAX_BYTES,
          bytesOf: (grant) => Buffer.byteLength(JSON.stringify(grant)),
          isWanted: (grant) => status === undefined || grant.status === status,
          maxRead: LOOKED_AT_MAX,
        });
        return { grants: [...page.items], nextCursor: cursors.next(listing, page, ({ id }) => id) };
      }),

      // A grant of any status may be revoked; a repetition gives the same answer.
      serveMemberRoute(grantRoutes[kind].revoke, requireSignedIn, async ({ id }, context, member) => {
        const grant = await grants.revoke(member, kind, id, context);
        if (grant === undefined) throw new ActionError('grant_not_found');
        return { grant: describeGrant(grant, { status: 'revoked' }) };
      }),
    ]),
  ];
}

/** The grants of a kind that a Member sees, newest first. */
async function* described(
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
