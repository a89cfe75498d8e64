import { grantRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';

/** `grants.create_operation_grant`: a grant that allows one operation. */
export function serveCreateOperationGrant(dependencies: Dependencies): ServedCall {
  const { members, limits } = dependencies;
  return serveMemberRoute(grantRoutes.operation.create, members.requireSignedIn, (request, context, member) =>
    createGrant(dependencies, 'operation', request, context, member, async (createdAt) => {
      const named = [request.operationScope];
      const known = await knownOperations(dependencies, member._id.workspace_id, named, context);
      return {
        operations: grantableOperations(known, member, 'operationScope', named),
        expiresAt: expiryTime(request.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS),
        terms: { kind: 'operation', name: request.name ?? null },
      };
    }),
  );
}
