import { type GrantKind, grantKind, kindOfGrant } from '@action-platform/contracts/authority';
import { listGrantsOf, revokeGrantOf } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { OPERATOR_LIST_MAX, OPERATOR_LIST_MAX_BYTES } from '@action-platform/contracts/limits';
import { type Grant, grantRoutes } from '@action-platform/contracts/resources';
import {
  type CallContext,
  type ServedCall,
  serveCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import type { AsOf } from '../grants/database-time.ts';
import { kinds } from '../grants/kinds.ts';
import { describeGrant, grantState } from '../grants/status.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import { type Caller, operatorOf } from '../members/stored-member.ts';
import { serveCreateRoutineGrant } from './create-routine-grant.ts';
import { pageByStatus } from './page-by-status.ts';
import { requireTrusted, trustIn } from './trusted.ts';

/** How many grants of any kind one query of an operator's list reads. */
const READ_TOGETHER = Math.min(...Object.values(kinds).map(({ readTogether }) => readTogether));

/** The routes for the grants of all kinds that a Member sees. */
export function serveGrantRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, grants, limits } = dependencies;
  const { requireSignedIn } = members;
  return [
    serveMemberRoute(grantRoutes.operation.create, requireSignedIn, (request, context, member) =>
      createGrant(dependencies, 'operation', request, context, member, async (createdAt) => {
        requireTrusted(dependencies, request);
        const named = [request.operationScope];
        const known = await knownOperations(dependencies, member._id.workspace_id, named, context);
        return {
          operations: grantableOperations(known, member, 'operationScope', named),
          expiresAt: expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
          terms: { kind: 'operation', name: request.name ?? null, ...trustIn(request) },
        };
      }),
    ),
    serveCreateRoutineGrant(dependencies),

    ...grantKind.options.flatMap((kind) => [
      serveMemberRoute(grantRoutes[kind].list, requireSignedIn, async (query, context, member) => {
        const listing = JSON.stringify(['grants', member._id, member.role, kind, query.status]);
        const { readTogether: together } = kinds[kind];
        const { items, nextCursor } = await pageByStatus(
          dependencies,
          listing,
          query,
          together,
          async (after) => {
            const read = await grants.page(member, kind, after, together, context);
            return await described(members, read, context);
          },
        );
        return { grants: items, nextCursor };
      }),

      serveMemberRoute(grantRoutes[kind].revoke, requireSignedIn, revokeGrant(dependencies, kind)),
    ]),
  ];
}

/** The commands for the grants of a Workspace. */
export function serveGrantCommands(dependencies: Dependencies): ServedCall[] {
  const { members, grants } = dependencies;
  return [
    serveCall(listGrantsOf, async ({ workspace }, context) => {
      await members.requireWorkspace(workspace, context);
      const newest = await grants.newest(workspace, OPERATOR_LIST_MAX, context);
      const listed: Grant[] = [];
      let bytes = 0;
      for (let from = 0; from < newest.length; from += READ_TOGETHER) {
        const read = await grants.ofIds(newest.slice(from, from + READ_TOGETHER), context);
        for (const grant of await described(members, read, context)) {
          bytes += JSON.stringify(grant).length;
          if (bytes > OPERATOR_LIST_MAX_BYTES) return { grants: listed };
          listed.push(grant);
        }
      }
      return { grants: listed };
    }),

    serveCall(revokeGrantOf, async ({ workspace, grant: id }, context) => {
      await members.requireWorkspace(workspace, context);
      return await revokeGrant(dependencies, kindOfGrant(id))({ id }, context, operatorOf(workspace));
    }),
  ];
}

/** These grants, each with its status as it was when the grant was read. */
async function described(
  members: Dependencies['members'],
  read: readonly AsOf<StoredGrant>[],
  context: CallContext,
): Promise<Grant[]> {
  return await Promise.all(
    read.map(async (grant) => {
      const holder = await members.holderOf(grant, context);
      return describeGrant(grant, grantState(grant, holder, grant.as_of));
    }),
  );
}

/** Revokes a grant of any status; a repetition gives the same answer. */
function revokeGrant({ grants }: Dependencies, kind: GrantKind) {
  return async ({ id }: { readonly id: string }, context: CallContext, caller: Caller) => {
    const grant = await grants.revoke(caller, kind, id, context);
    if (grant === undefined) throw new ActionError('grant_not_found');
    return { grant: describeGrant(grant, { status: 'revoked' }) };
  };
}
