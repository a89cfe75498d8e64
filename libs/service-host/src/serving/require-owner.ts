import type { Bus } from '@action-platform/bus';
import { memberRole } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import type { SessionClaims } from '@action-platform/contracts/resources';
import { callOnward } from './call-onward.ts';
import type { CallContext } from './context.ts';

/**
 * Resolves with the session of an Owner; any other signed-in user is refused: `workspace_membership_required`, `owner_role_required`.
 *
 * @param options `whileSuspended` lets an Owner call while the Workspace is suspended.
 */
export const requireOwner =
  (bus: Bus, options: { readonly whileSuspended?: true } = {}) =>
  async (session: SessionClaims, context: CallContext) => {
    const { role } = await callOnward(bus, memberRole, { ...session, ...options }, context);
    if (role !== 'owner') throw new ActionError('owner_role_required');
    return session;
  };
