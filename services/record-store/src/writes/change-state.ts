import type { RecordState, StoredRecord } from '@action-platform/contracts/operations';
import type { Dependencies } from '../dependencies.ts';
import { describeRecord } from '../storage/stored-head.ts';
import { type RecordWrite, withState } from './next-head.ts';
import { requireVersion } from './preconditions.ts';
import { spendApproval } from './spent-approvals.ts';

/**
 * Archives or restores a Record; a Record that already has the state stays as it is.
 *
 * @throws ActionError `record_store_record_not_found` or `record_store_stale_version`; `action_platform_unavailable`
 *   when other writes kept changing the Record until the deadline; ApprovalSpent when the approval of the call changed the state before.
 */
export async function changeState(
  { heads, limits }: Dependencies,
  write: RecordWrite,
  to: RecordState,
  expectedVersion?: number,
): Promise<StoredRecord> {
  for (;;) {
    const head = await heads.get(write.reference, write);
    requireVersion(head, expectedVersion);
    if (head.state === to) return describeRecord(head);
    const spent = spendApproval(head, write.origin, limits.APPROVAL_REPEAT_SECONDS * 1000);
    const next = { ...withState(head, to, write), ...spent };
    if (await heads.replace(head, next, write)) return describeRecord(next);
  }
}
