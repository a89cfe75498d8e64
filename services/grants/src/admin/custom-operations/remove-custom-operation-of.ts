import { removeCustomOperationOf } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { describeCustomOperation } from '../../custom-operations/stored-custom-operation.ts';
import type { Dependencies } from '../../dependencies.ts';

/** `admin.grants.remove_custom_operation`: removes a custom operation as an Owner may. */
export function serveRemoveCustomOperationOf({ members, customOperations }: Dependencies): ServedCall {
  return serveCall(removeCustomOperationOf, async ({ workspace, operation: id }, context) => {
    await members.requireWorkspace(workspace, context);
    const key = { workspaceId: workspace, id };
    return { operation: describeCustomOperation(await customOperations.remove(key, context)) };
  });
}
