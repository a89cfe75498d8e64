import { followCommits, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { ApprovalRule } from '@action-platform/contracts/resources';
import type { StoredDocuments } from '@action-platform/mongo';

/** The rules of a Workspace: one document, because every write reads them. */
export interface StoredRules {
  /** The id of the Workspace. */
  readonly _id: string;
  /** Counts the changes from 1. */
  readonly revision: number;
  readonly rules: readonly ApprovalRule[];
  /** The last changes, by their revision. */
  readonly commits: Readonly<Record<string, Origin & { readonly at: Date }>>;
}

/** The rules, found by their `_id` alone. */
export const storedRules: StoredDocuments<StoredRules> = {
  collection: 'approval_rules',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
  exported: {
    type: 'approval_rules',
    order: { _id: 1 },
    data: ({ revision, rules }) => ({ revision, rules }),
  },
};

/** The changes of rules. */
export const ruleChanges = followCommits<StoredRules>(storedRules, [], ({ _id: workspaceId }, commit) => ({
  workspaceId,
  type: 'approval_rules.changed',
  subject: workspaceId,
  data: madeBy(commit),
}));
