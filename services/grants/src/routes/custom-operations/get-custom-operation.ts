import { customOperationRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `grants.get_custom_operation`: a custom operation of an Owner's Workspace, also a removed one. */
export function serveGetCustomOperation({ members, customOperations }: Dependencies): ServedCall {
  return serveMemberRoute(customOperationRoutes.get, members.requireOwner, async ({ id }, context, owner) => {
    const key = { workspaceId: owner._id.workspace_id, id };
    return { operation: await customOperations.require(key, context) };
  });
}
