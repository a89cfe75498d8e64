import { discover } from '@action-platform/contracts/calls';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { authenticate, memberOf } from '../authority/caller.ts';
import { availableTo } from '../custom-operations/available.ts';
import type { Dependencies } from '../dependencies.ts';
import { namesOf } from '../grants/data-scope.ts';
import { kindOf } from '../grants/kinds.ts';

/** `grants.discover`: the ids of the operations that a caller can execute now, sorted, the revisions of custom ones, and the limits of a grant's data scope. */
export function serveDiscover(dependencies: Dependencies): ServedCall {
  const { members, grants, otherServices } = dependencies;
  return serveCall(discover, async ({ credential, withNames, isUncounted }, context) => {
    const caller = await authenticate(credential, dependencies, context);
    const { workspaceId, grant } = caller;
    const member = await memberOf(caller, members, context);
    await members.admit(member, { isUncounted }, context);
    const { ids, custom } = await availableTo(dependencies, member, grant?.operations, context);
    if (grant !== undefined) await grants.markUsed(grant, context);
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
    const routine = grant && kindOf(grant).scope?.(grant);
    if (routine === undefined) return listed;
    if (withNames !== true) return { ...listed, routine };
    return { ...listed, routine, names: await namesOf(routine.data, otherServices, member, context) };
  });
}
