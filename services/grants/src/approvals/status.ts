import { viaGrant } from '@action-platform/contracts/audit';
import type { Operation } from '@action-platform/contracts/operations';
import type { Approval, ApprovalStatus, ListedApproval } from '@action-platform/contracts/resources';
import { ExactJson } from '@action-platform/json';
import type { Membership } from '../members/stored-member.ts';
import type { ApprovalOfCall, StoredApproval } from './stored-approval.ts';

/** The status of an approval, derived from the stored fields and the time of the database. */
export function approvalStatus(
  { decision, use, pending_until, is_invalidated }: ApprovalOfCall,
  now: Date,
): ApprovalStatus {
  if (use !== undefined) return 'used';
  const until = decision?.valid_until ?? pending_until!;
  if (is_invalidated || until <= now) return 'lapsed';
  return decision?.verdict ?? 'pending';
}

/** Whether the Owner who approved could do it now: in the same authority epoch, and not for themselves where another must. */
export function isStillBacked(
  { decision, user_id }: ApprovalOfCall,
  approver: Membership | undefined,
  preventsSelfApproval: boolean,
): boolean {
  if (decision === undefined || approver === undefined) return false;
  if (preventsSelfApproval && decision.by === user_id) return false;
  return approver.status === 'active' && approver.role === 'owner' && approver.epoch === decision.epoch;
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
    lapsesAt: (use?.until ?? decision?.valid_until ?? approval.pending_until!).toISOString(),
    preventSelfApproval: approval.prevent_self_approval,
    ...(decision && { decidedBy: decision.by, decidedAt: decision.at.toISOString() }),
    ...(decision?.reason !== undefined && { reason: decision.reason }),
    ...(use && { usedAt: use.at.toISOString(), usedRequestId: use.request_id }),
    ...(approval.former_id !== undefined && { formerId: approval.former_id }),
  };
}

/** An approval with the call itself. */
export function describeWhole(
  approval: StoredApproval,
  now: Date,
  operations: ReadonlyMap<string, Pick<Operation, 'isDestructive'>>,
): Approval {
  return {
    ...describeApproval(approval, now, operations),
    idempotencyKey: approval.idempotency_key,
    input: new ExactJson(approval.input),
  };
}
