import type { ApprovalStatus } from '@action-platform/contracts/resources';
import type { Document, Filter } from 'mongodb';
import type { ApprovalOfCall, StoredApproval } from './stored-approval.ts';

/** The events that change the state of an approval, besides time. */
type ApprovalEvent = 'approve' | 'reject' | 'use' | 'spend' | 'invalidate';

/** The next state by state and event; each event changes approvals of one state, and no others. Time alone has them lapse. */
export const nextStates = {
  pending: { approve: 'approved', reject: 'rejected' },
  approved: { use: 'used', invalidate: 'lapsed' },
  rejected: {},
  used: { spend: 'used' },
  lapsed: {},
} as const satisfies Readonly<Record<ApprovalStatus, Partial<Record<ApprovalEvent, ApprovalStatus>>>>;

const isUnused = { use: { $exists: false } } as const;

/** Matches the stored approvals that can have a state; time decides the rest. */
export const storedAs: Readonly<Record<ApprovalStatus, Filter<StoredApproval>>> = {
  pending: { pending_until: { $exists: true } },
  approved: { ...isUnused, 'decision.verdict': 'approved', is_invalidated: { $exists: false } },
  rejected: { 'decision.verdict': 'rejected' },
  used: { use: { $exists: true } },
  lapsed: isUnused,
};

/** When a state ends by the clock, as a field; the repetitions of a used one end then. */
const endsAt: Readonly<Partial<Record<ApprovalStatus, string>>> = {
  pending: '$pending_until',
  approved: '$decision.valid_until',
  rejected: '$decision.valid_until',
  used: '$use.until',
};

/** Matches the approvals that an event changes now, by the clock of the database. */
export function changedBy(event: ApprovalEvent): Filter<StoredApproval> {
  const states = Object.keys(nextStates) as ApprovalStatus[];
  const state = states.find((each) => event in nextStates[each])!;
  return { ...storedAs[state], ...ahead(endsAt[state]!) };
}

function ahead(field: string): Document {
  return { $expr: { $gt: [field, '$$NOW'] } };
}

/** The time from which an approval counts no more. */
export function lapsesAt({
  use,
  decision,
  pending_until,
}: Pick<ApprovalOfCall, 'use' | 'decision' | 'pending_until'>): Date {
  return (use?.until ?? decision?.valid_until ?? pending_until)!;
}

/** The state of an approval, derived from the stored fields and the time of the database. */
export function approvalStatus(
  { decision, use, pending_until, is_invalidated }: ApprovalOfCall,
  now: Date,
): ApprovalStatus {
  if (use !== undefined) return 'used';
  const until = decision?.valid_until ?? pending_until!;
  if (is_invalidated || until <= now) return 'lapsed';
  return decision?.verdict ?? 'pending';
}
