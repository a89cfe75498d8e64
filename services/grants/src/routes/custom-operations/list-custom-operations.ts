import { customOperationRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { describeListed } from '../../custom-operations/stored-custom-operation.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.list_custom_operations`: the custom operations of an Owner's Workspace, removed ones included. */
export function serveListCustomOperations({ members, customOperations }: Dependencies): ServedCall {
  return serveMemberRoute(
    customOperationRoutes.list,
    members.requireOwner,
    async (_input, context, owner) => {
      const listed = await customOperations.list(owner._id.workspace_id, context);
      return { operations: listed.map(describeListed) };
    },
  );
}
