import { batchedLookup } from '@action-platform/batching';
import { ActionError, type SessionClaims } from '@action-platform/contracts';
import type { Collection } from 'mongodb';
import { type Member, type MemberKey, memberKey } from './member.ts';

/** Who belongs to which Workspace, now. */
export class Members {
  /** The membership as it is now; undefined when the user never had one. */
  readonly find: (key: MemberKey) => Promise<Member | undefined>;

  constructor(members: Collection<Member>) {
    // No two keys have the same JSON, whatever characters a user id has.
    const text = ({ workspace_id, user_id }: MemberKey) => JSON.stringify([workspace_id, user_id]);
    this.find = batchedLookup('grants.members', { asked: text, found: ({ _id }) => text(_id) }, (keys) =>
      members.find({ _id: { $in: keys } }).toArray(),
    );
  }

  /** The Member who is signed in; ActionError `workspace_membership_required` when they are none (any more). */
  async requireActive({ workspaceId, userId }: SessionClaims): Promise<Member> {
    const member = await this.find(memberKey(workspaceId, userId));
    if (member?.status !== 'active') throw new ActionError('workspace_membership_required');
    return member;
  }
}
