import { listCustomOperationsOf, removeCustomOperationOf } from '@action-platform/contracts/calls';
import { customOperationRoutes as routes, type SessionClaims } from '@action-platform/contracts/resources';
import {
  type CallContext,
  type ServedCall,
  serveCall,
  serveMemberRoute,
} from '@action-platform/service-host';
import { placeOf } from '../custom-operations/place.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Caller, type Membership, operatorOf } from '../members/stored-member.ts';
import { requireFresh } from './members.ts';
import { requireFieldsOfRules } from './sound-rules.ts';

/** The routes for the custom operations of an Owner's Workspace, and the commands for them; the reads have removed ones too. */
export function serveCustomOperationRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, customOperations, rules } = dependencies;
  const requireOwnerToChange = ownerToChange(dependencies);
  const list = async (_input: object, context: CallContext, { _id }: Caller) => ({
    operations: await customOperations.list(_id.workspace_id, context),
  });
  const remove = async ({ id }: { readonly id: string }, context: CallContext, { _id }: Caller) => ({
    operation: await customOperations.remove({ workspaceId: _id.workspace_id, id }, context),
  });
  return [
    serveMemberRoute(routes.list, members.requireOwner, list),

    serveMemberRoute(routes.get, members.requireOwner, async ({ id }, context, { _id }) => ({
      operation: await customOperations.require({ workspaceId: _id.workspace_id, id }, context),
    })),

    serveMemberRoute(routes.put, requireOwnerToChange, async (input, context, { _id }) => {
      const { rules: present } = await rules.of(_id.workspace_id, context);
      requireFieldsOfRules(present, input.id, input.inputSchema);
      const { url: _url, target: _target, ...content } = input;
      const place = await placeOf(input, _id.workspace_id, dependencies, context);
      await memberChanges.mark(_id.workspace_id, 'custom_operations', context);
      return { operation: await customOperations.put(_id, { ...content, ...place }, context) };
    }),

    serveMemberRoute(routes.remove, requireOwnerToChange, remove),

    serveCall(listCustomOperationsOf, async ({ workspace }, context) => {
      await members.requireWorkspace(workspace, context);
      return await list({}, context, operatorOf(workspace));
    }),

    serveCall(removeCustomOperationOf, async ({ workspace, operation: id }, context) => {
      await members.requireWorkspace(workspace, context);
      return await remove({ id }, context, operatorOf(workspace));
    }),
  ];
}

/**
 * Finds the Owner who changes a custom operation. While their Workspace has a rule of approvals, the Owner must have just signed in: a
 * program with their ordinary session could otherwise send approved calls elsewhere.
 */
function ownerToChange({ members, rules }: Dependencies) {
  return async (session: SessionClaims, context: CallContext): Promise<Membership> => {
    const owner = await members.requireOwner(session, context);
    const { rules: present } = await rules.of(owner._id.workspace_id, context);
    if (present.length > 0) requireFresh({ session });
    return owner;
  };
}
