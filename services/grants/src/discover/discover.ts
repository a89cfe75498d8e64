import { discover } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Authority } from '../authorize/authorize.ts';
import { authenticate, memberOf } from '../authorize/caller.ts';
import { whyUnavailable } from '../members/available.ts';

/** `grants.discover`: the ids of the operations that a caller can execute now, sorted as the registry is. */
export function discoverCall({ operations, members, grants }: Omit<Authority, 'cadence'>): ServedCall {
  return serveCall(discover, async ({ credential }) => {
    const caller = await authenticate(credential, grants);
    const member = await memberOf(caller, members);
    const { grant } = caller;
    const allowed = [...operations.values()]
      .filter(({ id }) => grant?.operations.includes(id) ?? true)
      .filter((operation) => whyUnavailable(operation, member) === undefined);
    if (grant !== undefined) await grants.markUsed(grant);
    return { operations: allowed.map(({ id }) => id) };
  });
}
