import { customOperationRoutes as routes, type SessionClaims } from '@action-platform/contracts/resources';
import { type CallContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { endpointUrl } from '../custom-operations/endpoint-url.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Membership } from '../members/stored-member.ts';
import { requireFresh } from './members.ts';
import { requireFieldsOfRules } from './sound-rules.ts';

/** The routes for the custom operations of an Owner's Workspace; the reads have removed ones too. */
export function serveCustomOperationRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, memberChanges, customOperations, endpoints, rules } = dependencies;
  const requireOwnerToChange = ownerToChange(dependencies);
  return [
    serveMemberRoute(routes.list, members.requireOwner, async (_input, context, { _id }) => ({
      operations: await customOperations.list(_id.workspace_id, context),
    })),

    serveMemberRoute(routes.get, members.requireOwner, async ({ id }, context, { _id }) => ({
      operation: await customOperations.require({ workspaceId: _id.workspace_id, id }, context),
    })),

    serveMemberRoute(routes.put, requireOwnerToChange, async (input, context, { _id }) => {
      const change = { ...input, url: endpointUrl(input.url, endpoints) };
      const { rules: present } = await rules.of(_id.workspace_id, context);
      requireFieldsOfRules(present, input.id, input.inputSchema);
      await memberChanges.mark(_id.workspace_id, 'custom_operations', context);
      return { operation: await customOperations.put(_id, change, context) };
    }),

    serveMemberRoute(routes.remove, requireOwnerToChange, async ({ id }, context, { _id }) => ({
      operation: await customOperations.remove({ workspaceId: _id.workspace_id, id }, context),
    })),
  ];
}

/**
 * Finds the Owner who changes a custom operation. While their Workspace has a rule of approvals, they must have just signed in: a program
 * with their ordinary session could otherwise send approved calls elsewhere.
 */
function ownerToChange({ members, rules }: Dependencies) {
  return async (session: SessionClaims, context: CallContext): Promise<Membership> => {
    const owner = await members.requireOwner(session, context);
    const { rules: present } = await rules.of(owner._id.workspace_id, context);
    if (present.length > 0) requireFresh({ session });
    return owner;
  };
}
