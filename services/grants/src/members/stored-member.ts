import type { ConnectedApp, Role } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';

/** The `_id` of a membership. The order of its fields matters: make it with `memberKey`. */
export interface MemberKey {
  readonly workspace_id: string;
  readonly user_id: string;
}

/** The reason why an authority epoch ended. */
export type MembershipChange = 'member_added' | 'member_removed' | 'role_changed';

/** The connection id of every connected app. */
export type Connections = Readonly<Partial<Record<ConnectedApp, string>>>;

/**
 * A user in a Workspace, now or formerly, with everything that decides the authority of a session, so that one read is
 * enough. It is never deleted, because grants derives from it the reason why a grant stopped.
 */
export interface StoredMember {
  readonly _id: MemberKey;
  readonly role: Role;
  readonly status: 'active' | 'removed';
  /** The authority epoch: it begins with 1 and grows with every change of role, removal and return. */
  readonly epoch: number;
  /** The change that ended each epoch: `changes[0]` ended epoch 1. */
  readonly changes: readonly MembershipChange[];
  /**
   * The connections at the end of each epoch, by its number. They show whether a grant of that epoch stopped earlier, by
   * the loss of an app.
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
