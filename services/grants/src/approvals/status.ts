import { viaGrant } from '@action-platform/contracts/audit';
import type { Operation } from '@action-platform/contracts/operations';
import type { Approval, ListedApproval } from '@action-platform/contracts/resources';
import { ExactJson } from '@action-platform/json';
import type { Holding } from '../approval-rules/rules.ts';
import type { MemberEpoch, Membership } from '../members/stored-member.ts';
import { approvalStatus, lapsesAt } from './states.ts';
import type { ApprovalOfCall, StoredApproval } from './stored-approval.ts';

/** Whether the Member who approved could do it now: in the same authority epoch, and not for themselves where another must. */
export function isStillBacked(
  { decision, user_id }: ApprovalOfCall,
  approver: Membership | undefined,
  holding: Holding,
): boolean {
  if (decision === undefined || approver?.status !== 'active' || approver.epoch !== decision.epoch)
    return false;
  if (decision.by === user_id && (holding.preventsSelfApproval || approver.role !== 'owner')) return false;
  return approver.role === 'owner' || isApprover(approver, holding.approvers);
}

/** Whether a Member is one of some approvers, in the authority epoch in which they were named. */
export function isApprover(
  { _id: { user_id }, epoch }: Membership,
  approvers: readonly MemberEpoch[] = [],
): boolean {
  return approvers.some((one) => one.user_id === user_id && one.epoch === epoch);
}

/** An approval in a listing. */
export function describeApproval(
  approval: ApprovalOfCall,
  now: Date,
  operations: ReadonlyMap<string, Pick<Operation, 'isDestructive'>>,
): ListedApproval {
  const { origin, decision, use } = approval;
  return {
    id: approval._id,
    workspaceId: approval.workspace_id,
    status: approvalStatus(approval, now),
    operation: approval.operation,
    isDestructive: operations.get(approval.operation)?.isDestructive === true,
    userId: approval.user_id,
    via: viaGrant(origin.grant_id),
    ...(origin.grant_id !== undefined && { grantId: origin.grant_id }),
    ...(origin.invocation_id !== undefined && { invocationId: origin.invocation_id }),
    requestId: origin.request_id,
    requestedAt: approval.requested_at.toISOString(),
    lapsesAt: lapsesAt(approval).toISOString(),
    preventSelfApproval: approval.prevent_self_approval,
    ...(decision && { decidedBy: decision.by, decidedAt: decision.at.toISOString() }),
    ...(decision?.reason !== undefined && { reason: decision.reason }),
    ...(use && { usedAt: use.at.toISOString(), usedRequestId: use.request_id }),
    ...(approval.former_id !== undefined && { formerId: approval.former_id }),
    heldBy: [...(approval.held_by ?? [])],
  };
}

/** An approval with the call itself, and the decisions about the same call before, if there were any. */
export function describeWhole(
  approval: StoredApproval,
  now: Date,
  operations: ReadonlyMap<string, Pick<Operation, 'isDestructive'>>,
  before: Approval['before'],
): Approval {
  return {
    ...describeApproval(approval, now, operations),
    ...(before && { before }),
    idempotencyKey: approval.idempotency_key,
    input: new ExactJson(approval.input),
  };
}
