import { type GrantKind, grantKind } from '@action-platform/contracts/authority';
import { ActionError } from '@action-platform/contracts/errors';
import { grantRoutes } from '@action-platform/contracts/resources';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import { describeGrant, grantState } from '../grants/status.ts';
import { serveCreateRoutineGrant } from './create-routine-grant.ts';
import { pageByStatus } from './page-by-status.ts';

/** The number of grants in one query: a routine grant may list thousands of ids, and takes up to 0.5 ms to read. */
const TOGETHER: Readonly<Record<GrantKind, number>> = { operation: 50, routine: 20 };

/** The routes for the grants of both kinds that a Member sees. */
export function serveGrantRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, grants, limits } = dependencies;
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
        const listing = JSON.stringify(['grants', member._id.workspace_id, kind, query.status]);
        const together = TOGETHER[kind];
        const { items, nextCursor } = await pageByStatus(
          dependencies,
          listing,
          query,
          together,
          async (after) => {
            const read = await grants.page(member, kind, after, together, context);
            return await Promise.all(
              read.map(async (grant) => {
                const holder = await members.holderOf(grant, context);
                return describeGrant(grant, grantState(grant, holder, grant.as_of));
              }),
            );
          },
        );
        return { grants: items, nextCursor };
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
