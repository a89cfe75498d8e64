import { lastOf, oneMoreCommit } from '@action-platform/change-events';
import type { Document } from 'mongodb';
import { type MemberCommit, type MembershipChange, mailboxChanged } from './stored-member.ts';
import type { ChangeUnderWay } from './stored-workspace.ts';

/** How many former epochs a membership keeps. A grant of an earlier one counts as stopped by the removal of its Member. */
const KEPT_EPOCHS = 100;

/**
 * The fields of a membership after a change, as a stage of a pipeline, in which `$…` are those before it. Every change but an erasure
 * begins a new authority epoch, which stops every grant of an earlier one; the connections at its end are kept.
 */
export function effectOf(change: ChangeUnderWay): Document {
  const { type, role, display_name, erasure, marks, origin } = change;
  if (type === 'erased') {
    const from = { $min: ['$erase_from', { $add: ['$$NOW', erasure!.afterMs] }] };
    return erasure!.again
      ? { erase_from: from, erased_at: '$$REMOVE' }
      : { erase_from: { $cond: ['$erased_at', '$$REMOVE', from] } };
  }
  const isNew = { $eq: [{ $type: '$epoch' }, 'missing'] };
  const ended = { k: { $toString: '$epoch' }, v: '$connections' };
  const formerEnds = { $objectToArray: { $ifNull: ['$connections_at_end', {}] } };
  const ends = { $arrayToObject: lastOf({ $concatArrays: [formerEnds, [ended]] }, KEPT_EPOCHS) };
  return {
    ...(role !== undefined && { role }),
    ...(type === 'member_added' && {
      status: 'active',
      erased_at: '$$REMOVE',
      added_at: '$$NOW',
      display_name: display_name === undefined ? '$$REMOVE' : { $literal: display_name },
      connections: { $ifNull: ['$connections', { $literal: {} }] },
      ...replaced(marks),
    }),
    ...(type === 'member_removed' && {
      status: 'removed',
      connections: { $literal: {} },
      ...mailboxChanged,
    }),
    epoch: { $add: [{ $ifNull: ['$epoch', 0] }, 1] },
    changes: { $cond: [isNew, [], lastOf({ $concatArrays: ['$changes', [type]] }, KEPT_EPOCHS)] },
    commits: oneMoreCommit({ type: commitTypes[type], ...origin }),
    connections_at_end: { $cond: [isNew, '$$REMOVE', ends] },
  };
}

/** Fields that replace those before: `$set` of a pipeline would merge an object with the one before. */
function replaced(fields: object = {}): Document {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, { $literal: value }]));
}

const commitTypes: Readonly<Record<MembershipChange, MemberCommit['type']>> = {
  member_added: 'member.added',
  member_removed: 'member.removed',
  role_changed: 'member.role_changed',
};
