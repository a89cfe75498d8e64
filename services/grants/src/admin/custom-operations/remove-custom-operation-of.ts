import { removeCustomOperationOf } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `admin.grants.remove_custom_operation`: removes a custom operation as an Owner may. */
export function serveRemoveCustomOperationOf({ members, customOperations }: Dependencies): ServedCall {
  return serveCall(removeCustomOperationOf, async ({ workspace, operation: id }, context) => {
    await members.requireWorkspace(workspace, context);
    return { operation: await customOperations.remove({ workspaceId: workspace, id }, context) };
  });
}
