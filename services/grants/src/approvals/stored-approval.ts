import { follow, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { ListedApproval } from '@action-platform/contracts/resources';
import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';
import type { MemberEpoch } from '../members/stored-member.ts';

/** The decision of an Owner or approver; the first one counts. */
interface StoredDecision {
  readonly verdict: 'approved' | 'rejected';
  readonly at: Date;
  /** The Member who decided, and their authority epoch: an approval counts only while that epoch goes on. */
  readonly by: string;
  readonly epoch: number;
  readonly reason?: string;
  /** When the approval lapses unless the call is made. */
  readonly valid_until: Date;
  readonly origin: Origin;
}

/**
 * A question to the Owners: may this exact call be executed? The question, the decision and the first use are stored, each by one
 * conditional update; `states.ts` has the states and what changes them. The held call is not kept running: its caller repeats it.
 */
export interface StoredApproval {
  /** `apv_…`, in the order of requests. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  /** SHA-256 of the call by value: `callDigest`. */
  readonly digest: string;
  /** Counts the approvals of one call from 1. */
  readonly number: number;
  readonly operation: string;
  readonly idempotency_key: string | null;
  /** The body as it was sent. */
  readonly input: string;
  readonly prevent_self_approval: boolean;
  /** The rules that held the call; absent in one that a version without conditions stored. */
  readonly held_by?: ListedApproval['heldBy'];
  /** The Members who may decide beside Owners, as the rules named them when the call was held; absent without any. */
  readonly approvers?: readonly MemberEpoch[];
  readonly requested_at: Date;
  /** When the question lapses; removed by a decision. */
  readonly pending_until?: Date;
  /** The numbers of a pending approval among those of the Workspace and of the caller; unique indexes make both limits exact. */
  readonly slot?: number;
  readonly caller_slot?: number;
  /** The held call, which names its grant and run. */
  readonly origin: Origin;
  readonly former_id?: string;
  readonly decision?: StoredDecision;
  /** The first execution; repetitions are let through until `until`. */
  readonly use?: { readonly at: Date; readonly request_id: string; readonly until: Date };
  /** Set when the approval counts no more, because its approver could not decide it now. */
  readonly is_invalidated?: true;
  /** The time from which the database may delete it (TTL index). */
  readonly expires_at: Date;
}

/** An approval without the body of its call, which may be half a megabyte. */
export type ApprovalOfCall = Omit<StoredApproval, 'input'>;

/** How long an approval is stored, in milliseconds: 40 days. */
export const KEPT_MS = 40 * 86_400_000;

/** The approvals, with an index for each query. */
export const storedApprovals: StoredDocuments<StoredApproval> = {
  collection: 'approvals',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'call', key: { workspace_id: 1, digest: 1, number: -1 }, unique: true },
    { name: 'workspace', key: { workspace_id: 1, _id: -1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1, _id: -1 } },
    {
      name: 'approver',
      key: { workspace_id: 1, approvers: 1, _id: -1 },
      partialFilterExpression: { approvers: { $exists: true } },
    },
    {
      name: 'waiting',
      key: {
        workspace_id: 1,
        pending_until: 1,
        user_id: 1,
        'origin.grant_id': 1,
        slot: 1,
        caller_slot: 1,
      },
      partialFilterExpression: { pending_until: { $exists: true } },
    },
    { name: 'pending', key: { workspace_id: 1, pending_until: 1, user_id: 1 } },
    {
      name: 'slot',
      key: { workspace_id: 1, slot: 1 },
      unique: true,
      partialFilterExpression: { slot: { $gte: 0 } },
    },
    {
      name: 'caller_slot',
      key: { workspace_id: 1, user_id: 1, 'origin.grant_id': 1, caller_slot: 1 },
      unique: true,
      partialFilterExpression: { caller_slot: { $gte: 0 } },
    },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
  exported: {
    type: 'approval',
    order: { _id: -1 },
    data: ({
      _id,
      workspace_id: _,
      digest: _d,
      number: _n,
      slot: _s,
      caller_slot: _c,
      expires_at: _e,
      origin,
      decision,
      ...rest
    }) => ({
      id: _id,
      ...rest,
      request_id: origin.request_id,
      ...(origin.grant_id !== undefined && { grant_id: origin.grant_id }),
      ...(decision && { decision: { ...decision, origin: undefined } }),
    }),
  },
};

/** The changes of approvals: the question and the decision. */
export const approvalChanges = follow(storedApprovals, {
  fields: ['workspace_id', 'user_id', 'operation', 'requested_at', 'origin', 'decision'],
  updates: true,
  changesOf: ({ _id, workspace_id: workspaceId, user_id, operation, requested_at, origin, decision }) => {
    const of = { workspaceId, subject: _id } as const;
    const ids = { operation_id: operation, user_id, ...(origin.grant_id && { grant_id: origin.grant_id }) };
    const about = (made: Origin) => ({ ...madeBy(made), ...ids, approval_id: _id });
    const requested = { ...of, type: 'approval.requested', time: requested_at, data: about(origin) } as const;
    if (decision === undefined) return [requested];
    const { verdict, at: time, origin: decided } = decision;
    return [requested, { ...of, type: `approval.${verdict}`, time, data: about(decided), field: 'decision' }];
  },
});
