import { customOperationRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.list_custom_operations`: the custom operations of an Owner's Workspace, removed ones included. */
export function serveListCustomOperations({ members, customOperations }: Dependencies): ServedCall {
  return serveMemberRoute(
    customOperationRoutes.list,
    members.requireOwner,
    async (_input, context, owner) => ({
      operations: await customOperations.list(owner._id.workspace_id, context),
    }),
  );
}
