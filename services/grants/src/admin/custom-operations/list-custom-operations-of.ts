import { listCustomOperationsOf } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../../dependencies.ts';

/** `admin.grants.list_custom_operations` */
export function serveListCustomOperationsOf({ members, customOperations }: Dependencies): ServedCall {
  return serveCall(listCustomOperationsOf, async ({ workspace }, context) => {
    await members.requireWorkspace(workspace, context);
    return { operations: await customOperations.list(workspace, context) };
  });
}
