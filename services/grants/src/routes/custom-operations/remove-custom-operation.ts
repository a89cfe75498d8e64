import { customOperationRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';
import { requireOwnerToChange } from './require-owner-to-change.ts';

/** `grants.remove_custom_operation`: removes a custom operation of an Owner's Workspace. */
export function serveRemoveCustomOperation(dependencies: Dependencies): ServedCall {
  const findOwner = requireOwnerToChange(dependencies);
  return serveMemberRoute(customOperationRoutes.remove, findOwner, async ({ id }, context, owner) => {
    const key = { workspaceId: owner._id.workspace_id, id };
    return { operation: await dependencies.customOperations.remove(key, context) };
  });
}
