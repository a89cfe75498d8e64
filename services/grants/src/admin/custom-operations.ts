import { listCustomOperationsOf, removeCustomOperationOf } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** The commands for custom operations: an operator removes one as an Owner may. */
export function serveCustomOperationCommands({ members, customOperations }: Dependencies): ServedCall[] {
  return [
    serveCall(listCustomOperationsOf, async ({ workspace }, context) => {
      await members.requireWorkspace(workspace, context);
      return { operations: await customOperations.list(workspace, context) };
    }),

    serveCall(removeCustomOperationOf, async ({ workspace, operation: id }, context) => {
      await members.requireWorkspace(workspace, context);
      return { operation: await customOperations.remove({ workspaceId: workspace, id }, context) };
    }),
  ];
}
