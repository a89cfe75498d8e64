import { followCommits, madeBy } from '@action-platform/change-events';
import type { AgentPolicy } from '@action-platform/contracts/resources';
import type { StoredDocuments } from '@action-platform/mongo';
import type { Revisioned } from '../revisions/set-revision.ts';

/** The policy of a Workspace for the programs that its Members connect. */
export interface StoredPolicy extends Revisioned {
  readonly policy: Omit<AgentPolicy, 'revision'>;
}

/** The policies, found by their `_id` alone. */
export const storedPolicies: StoredDocuments<StoredPolicy> = {
  collection: 'agent_policies',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
  exported: {
    type: 'agent_policy',
    order: { _id: 1 },
    data: ({ revision, policy }) => ({ revision, ...policy }),
  },
};

/** The changes of policies. */
export const policyChanges = followCommits(storedPolicies, [], ({ _id: workspaceId }, commit) => ({
  workspaceId,
  type: 'agent_policy.changed',
  subject: workspaceId,
  data: madeBy(commit),
}));
