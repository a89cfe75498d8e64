import type { ConnectedApp, Role } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';

/** Names a membership. As a document's `_id`, so the order of the fields matters: make it with `memberKey`. */
export interface MemberKey {
  readonly workspace_id: string;
  readonly user_id: string;
}

/** Why an authority epoch ended. */
export type MembershipChange = 'member_added' | 'member_removed' | 'role_changed';

/** The connection id of every connected app. */
export type Connections = Readonly<Partial<Record<ConnectedApp, string>>>;

/**
 * A user in a Workspace, now or formerly: everything a session's authority is made of, so that it is one
 * read. It is never deleted, because what stopped a grant is told from it.
 */
export interface StoredMember {
  readonly _id: MemberKey;
  readonly role: Role;
  readonly status: 'active' | 'removed';
  /** The authority epoch: 1 at first, and one more with every change of role, removal and return. */
  readonly epoch: number;
  /** Why each epoch ended: `changes[0]` ended epoch 1. One shorter than the number of epochs. */
  readonly changes: readonly MembershipChange[];
  /**
   * What was connected when each epoch ended, by its number. It tells whether a grant of that epoch had lost an app
   * before: then that is what stopped it. Without an entry nobody noted it, and the change of the membership counts.
   */
  readonly connections_at_end?: Readonly<Record<string, Connections>>;
  readonly connections: Connections;
}

/** The key of a membership; `workspace_id` leads, as it would lead a shard key. */
export function memberKey(workspaceId: string, userId: string): MemberKey {
  return { workspace_id: workspaceId, user_id: userId };
}

/** The memberships, found by their `_id` alone. */
export function openMembers(db: Db): Collection<StoredMember> {
  return db.collection('members');
}

/** A membership as operators see it. */
export function describeMember({ _id, role, status }: StoredMember) {
  return { ..._id, role, status };
}
