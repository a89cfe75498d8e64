import type { ConnectedApp, Role } from '@action-platform/contracts';

/** Names a membership. As a document's `_id`, so the order of the fields matters: make it with `memberKey`. */
export interface MemberKey {
  readonly workspace_id: string;
  readonly user_id: string;
}

/** Why an authority epoch ended. */
export type MembershipChange = 'member_added' | 'member_removed' | 'role_changed';

/**
 * A user in a Workspace, now or formerly: everything a session's authority is made of, so that it is one
 * read. It is never deleted, because what stopped a grant is told from it.
 */
export interface Member {
  readonly _id: MemberKey;
  readonly role: Role;
  readonly status: 'active' | 'removed';
  /** The authority epoch: 1 at first, and one more with every change of role, removal and return. */
  readonly epoch: number;
  /** Why each epoch ended: `changes[0]` ended epoch 1. One shorter than the number of epochs. */
  readonly changes: readonly MembershipChange[];
  /** The connection id of every connected app. */
  readonly connections: Readonly<Partial<Record<ConnectedApp, string>>>;
}

/** The key of a membership; `workspace_id` leads, as it would lead a shard key. */
export function memberKey(workspaceId: string, userId: string): MemberKey {
  return { workspace_id: workspaceId, user_id: userId };
}
