import type { Origin } from '@action-platform/contracts';
import type { Commit, Head, Tombstone } from './stored-head.ts';

/**
 * The commit that made the current state of a Record.
 *
 * A replica of a version without commits leaves none, or the one of an earlier state, which has another time. Such a Record has had at
 * least as many commits as revisions, and one more for each state after that; where they came from is unknown.
 */
export function commitOf(record: Head | Tombstone): Commit {
  const at = record.state === 'deleted' ? record.deleted_at : record.updated_at;
  const { commit, state, version } = record;
  if (commit?.at.getTime() === at.getTime()) return commit;
  const least = version + { active: 0, archived: 1, deleted: 2 }[state];
  const type = state === 'active' ? (least === 1 ? 'pushed' : 'replaced') : state;
  return { type, sequence: Math.max(least, (commit?.sequence ?? 0) + 1), at };
}

/** The commit that follows the current one. */
export function nextCommit(head: Head, type: Commit['type'], at: Date, origin: Origin): Commit {
  return { type, sequence: commitOf(head).sequence + 1, at, ...origin };
}

/** The commit of the current revision, which may precede an archive and a restore; undefined in Records from before commits. */
export function revisionCommit({ commit, revision_commit, revised_at }: Head): Commit | undefined {
  const isRevision = ({ type, at }: Commit) =>
    type !== 'archived' && type !== 'restored' && at.getTime() === revised_at.getTime();
  return [commit, revision_commit].find((one) => one !== undefined && isRevision(one));
}
