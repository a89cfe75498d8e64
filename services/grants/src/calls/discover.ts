import { discover } from '@action-platform/contracts/calls';
import { isCustomId } from '@action-platform/contracts/operations';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { authenticate, memberOf } from '../authority/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { namesOf } from '../grants/data-scope.ts';
import { type DecidingFields, whyUnavailable } from '../members/availability.ts';

/** `grants.discover`: the ids of the operations that a caller can execute now, sorted, the revisions of custom ones, and what a routine grant limits. */
export function serveDiscover(dependencies: Dependencies): ServedCall {
  const { operations, customOperations, members, grants, otherServices } = dependencies;
  return serveCall(discover, async ({ credential, withNames, isUncounted }, context) => {
    const caller = await authenticate(credential, grants, context);
    const { workspaceId, grant } = caller;
    const member = await memberOf(caller, members, context);
    await members.admit(member, { isUncounted }, context);
    const mayCallCustom = grant === undefined || grant.operations.some(isCustomId);
    const registered =
      member.has_custom_operations !== false && mayCallCustom
        ? await customOperations.active(workspaceId, context)
        : [];
    const isAllowed = (operation: Pick<DecidingFields, 'id' | 'availability' | 'app' | 'appNotNeededBy'>) =>
      (grant?.operations.includes(operation.id) ?? true) && whyUnavailable(operation, member) === undefined;
    if (grant !== undefined) await grants.markUsed(grant, context);
    const ids = [...operations.values()].filter(isAllowed).map(({ id }) => id);
    const custom = registered.filter(isAllowed);
    const listed =
      custom.length === 0
        ? { operations: ids }
        : {
            operations: [...ids, ...custom.map(({ id }) => id)].toSorted(),
            custom: {
              workspaceId,
              revisions: Object.fromEntries(custom.map(({ id, revision }) => [id, revision])),
            },
          };
    if (grant?.kind !== 'routine') return listed;
    const { data, output_definition: outputDefinition } = grant;
    const routine = { data, ...(outputDefinition !== null && { outputDefinition }) };
    if (withNames !== true) return { ...listed, routine };
    return { ...listed, routine, names: await namesOf(data, otherServices, member, context) };
  });
}
