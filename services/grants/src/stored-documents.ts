import { storedCheckpoint } from '@action-platform/change-events';
import type { StoredDocuments } from '@action-platform/mongo';
import { storedPolicies } from './agent-policy/stored-policy.ts';
import { storedRules } from './approval-rules/stored-rules.ts';
import { storedApprovals } from './approvals/stored-approval.ts';
import { storedRuns } from './cadence/stored-run.ts';
import { storedCustomOperations } from './custom-operations/stored-custom-operation.ts';
import { storedGrants } from './grants/stored-grant.ts';
import { storedCallCounts } from './members/stored-call-count.ts';
import { storedMembers } from './members/stored-member.ts';
import { storedWorkspaces } from './members/stored-workspace.ts';
import { storedTokens } from './tokens/stored-token.ts';

/** The collections that the erasure of a Workspace empties; the Workspace itself goes last. */
export const erasedDocuments: readonly StoredDocuments[] = [
  storedApprovals,
  storedRules,
  storedPolicies,
  storedCustomOperations,
  storedRuns,
  storedGrants,
  storedTokens,
  storedMembers,
  storedCallCounts,
];

/** Every collection of the service, in the order of an export. */
export const storedDocuments: readonly StoredDocuments[] = [
  storedWorkspaces,
  ...erasedDocuments,
  storedCheckpoint,
];
