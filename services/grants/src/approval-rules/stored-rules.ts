import { type Followed, madeBy } from '@action-platform/change-events';
import type { ApprovalRule, Origin } from '@action-platform/contracts';
import { openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

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

/** The rules, found by their `_id` alone. */
export function openRules(db: Db): Collection<StoredRules> {
  return openStored(db, storedRules);
}

/** The changes of rules. */
export const ruleChanges: Followed<StoredRules> = {
  collection: storedRules.collection,
  fields: ['commits'],
  updates: true,
  changesOf: ({ _id: workspaceId, commits }) =>
    Object.entries(commits).map(([revision, { at: time, ...origin }]) => ({
      workspaceId,
      type: 'approval_rules.changed',
      subject: workspaceId,
      distinct: revision,
      time,
      data: madeBy(origin),
      field: `commits.${revision}`,
    })),
};
