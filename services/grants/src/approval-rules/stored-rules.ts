import { followCommits, madeBy } from '@action-platform/change-events';
import type { ApprovalRule } from '@action-platform/contracts/resources';
import { ExactJson } from '@action-platform/json';
import type { StoredDocuments } from '@action-platform/mongo';
import type { MemberEpoch } from '../members/stored-member.ts';
import type { Revisioned } from '../revisions/set-revision.ts';

/** The rules of a Workspace: one document, because every write reads them. */
export interface StoredRules extends Revisioned {
  readonly rules: readonly ApprovalRule[];
  /** Every approver that the rules name, in the authority epoch in which they were named. */
  readonly approvers?: readonly MemberEpoch[];
}

/** The rules, found by their `_id` alone. */
export const storedRules: StoredDocuments<StoredRules> = {
  collection: 'approval_rules',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
  exported: {
    type: 'approval_rules',
    order: { _id: 1 },
    data: ({ revision, rules }) => ({ revision, rules: describeRules(rules) }),
  },
};

/** The changes of rules. */
export const ruleChanges = followCommits(storedRules, [], ({ _id: workspaceId }, commit) => ({
  workspaceId,
  type: 'approval_rules.changed',
  subject: workspaceId,
  data: madeBy(commit),
}));

/** Rules as they were set: the database has the text of an `ExactJson` as its field. */
export function describeRules(rules: StoredRules['rules']): ApprovalRule[] {
  const exact = (value: unknown) =>
    typeof value === 'object' && value !== null ? new ExactJson((value as ExactJson).text) : value;
  return rules.map((rule) => {
    const when = rule.when?.map(({ value, ...condition }) => {
      const present = Array.isArray(value) ? value.map(exact) : exact(value);
      return { ...condition, value: present as typeof value };
    });
    return { ...rule, ...(when && { when }) };
  });
}
