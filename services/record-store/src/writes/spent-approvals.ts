import type { Origin } from '@action-platform/contracts/calls';
import { ApprovalSpent } from '@action-platform/service-host';
import type { Head } from '../storage/stored-head.ts';

/** How much longer than repetitions are let through a spent approval is kept, in milliseconds: clocks differ. */
const MARGIN_MS = 60_000;

type SpentApprovals = Pick<Head, 'spent_approvals'>;

/**
 * The spent approvals of a Record once a change without an idempotency key has spent that of its call, too.
 *
 * @param repeatMs how long the repetitions of an approved call are let through.
 * @throws ApprovalSpent when it was spent before.
 */
export function spendApproval(
  { spent_approvals: before = [] }: Head,
  { approval_id: id }: Origin,
  repeatMs: number,
): SpentApprovals {
  if (id === undefined) return {};
  if (before.some((spent) => spent.id === id)) throw new ApprovalSpent();
  const at = new Date();
  const kept = before.filter((spent) => spent.at.getTime() > at.getTime() - repeatMs - MARGIN_MS);
  return { spent_approvals: [...kept, { id, at }] };
}
