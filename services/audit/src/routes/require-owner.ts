import type { Bus } from '@action-platform/bus';
import { ActionError, memberRole, type SessionClaims } from '@action-platform/contracts';
import { type CallContext, callOnward } from '@action-platform/service-host';

/** Refuses a signed-in user that is no Owner: `workspace_membership_required`, `owner_role_required`. */
export const requireOwner = (bus: Bus) => async (session: SessionClaims, context: CallContext) => {
  const { role } = await callOnward(bus, memberRole, session, context);
  if (role !== 'owner') throw new ActionError('owner_role_required');
};
