import { discover } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import { authenticate, memberOf } from '../authority/caller.ts';
import type { Dependencies } from '../dependencies.ts';
import { allows } from '../grants/data-scope.ts';
import { whyUnavailable } from '../members/availability.ts';

/** `grants.discover`: the ids of the operations that a caller can execute now, in the order of the registry, and what a routine grant limits. */
export function serveDiscover({ operations, members, grants }: Dependencies): ServedCall {
  return serveCall(discover, async ({ credential }, context) => {
    const caller = await authenticate(credential, grants, context);
    const member = await memberOf(caller, members, context);
    const { grant } = caller;
    const allowed = [...operations.values()]
      .filter((operation) => grant === undefined || allows(grant, operation))
      .filter((operation) => whyUnavailable(operation, member) === undefined);
    if (grant !== undefined) await grants.markUsed(grant, context);
    const ids = allowed.map(({ id }) => id);
    if (grant?.kind !== 'routine') return { operations: ids };
    const { data, output_definition: outputDefinition } = grant;
    return { operations: ids, routine: { data, ...(outputDefinition !== null && { outputDefinition }) } };
  });
}
