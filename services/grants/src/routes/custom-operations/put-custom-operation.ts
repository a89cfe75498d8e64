import { customOperationRoutes } from '@action-platform/contracts';
import { type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { endpointUrl } from '../../custom-operations/endpoint-url.ts';
import type { Dependencies } from '../../dependencies.ts';
import { requireOwnerToChange } from './require-owner-to-change.ts';

/** `grants.put_custom_operation`: registers a custom operation of an Owner's Workspace, or changes it. */
export function servePutCustomOperation(dependencies: Dependencies): ServedCall {
  const { customOperations, memberChanges, endpoints } = dependencies;
  const findOwner = requireOwnerToChange(dependencies);
  return serveMemberRoute(customOperationRoutes.put, findOwner, async (input, context, owner) => {
    const change = { ...input, url: endpointUrl(input.url, endpoints) };
    await memberChanges.markCustomOperations(owner._id.workspace_id, context);
    return { operation: await customOperations.put(owner._id, change, context) };
  });
}
