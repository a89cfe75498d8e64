import type { Bus } from '@action-platform/bus';
import type { Principal } from '@action-platform/contracts/authority';
import { findApprovals } from '@action-platform/contracts/calls';
import { type ChangeEvent, changeEventTypes } from '@action-platform/contracts/change-events';
import { type CallContext, callOnward } from '@action-platform/service-host';

/**
 * The approvals in some events that a Member may decide although the call is not theirs: grants knows the approvers, in their authority
 * epoch. Without the approval of another Member's call it asks nothing.
 */
export async function approvalsOfOthers(
  bus: Bus,
  { workspaceId, userId, role }: Principal,
  events: readonly ChangeEvent[],
  context: CallContext,
): Promise<ReadonlySet<string>> {
  if (role === 'owner') return new Set();
  const ids = events
    .filter(({ type, data }) => changeEventTypes[type].visibility === 'approvers' && data.user_id !== userId)
    .map(({ subject }) => subject);
  if (ids.length === 0) return new Set();
  const asked = { workspaceId, userId, ids: [...new Set(ids)] };
  return new Set((await callOnward(bus, findApprovals, asked, context)).found);
}
