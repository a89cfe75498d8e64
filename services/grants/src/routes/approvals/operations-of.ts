import type { Timed } from '@action-platform/contracts';
import type { ApprovalOfCall } from '../../approvals/stored-approval.ts';
import { knownOperations } from '../../custom-operations/known-operations.ts';
import type { Dependencies } from '../../dependencies.ts';

/** The operations of approvals of one Workspace, also those that were removed. */
export function operationsOf(dependencies: Dependencies, approvals: readonly ApprovalOfCall[], timed: Timed) {
  const workspaceId = approvals[0]?.workspace_id ?? '';
  const ids = approvals.map(({ operation }) => operation);
  return knownOperations(dependencies, workspaceId, ids, timed, true);
}
