import { followCommits, madeBy } from '@action-platform/change-events';
import type { ConnectedApp, Role } from '@action-platform/contracts/authority';
import type { Origin } from '@action-platform/contracts/calls';
import type { Member } from '@action-platform/contracts/resources';
import type { StoredDocuments, StoredLease } from '@action-platform/mongo';
import { type Condition, MaxKey, MinKey } from 'mongodb';

/** The `_id` of a membership. The order of its fields matters: make it with `memberKey`. */
export interface MemberKey {
  readonly workspace_id: string;
  readonly user_id: string;
}

/** The reason why an authority epoch ended. */
export type MembershipChange = 'member_added' | 'member_removed' | 'role_changed';

/** A change of a membership or of its apps, with where it came from. */
export interface MemberCommit extends Origin {
  readonly type:
    | 'member.added'
    | 'member.role_changed'
    | 'member.renamed'
    | 'member.removed'
    | 'app.connected'
    | 'app.disconnected';
  readonly at: Date;
  /** The connection that began or ended, of an app's. */
  readonly connection_id?: string;
}

/** The connection id of every connected app. */
export type Connections = Readonly<Partial<Record<ConnectedApp, string>>>;

/** The settings of an operator for a Workspace. */
export interface WorkspaceLimit {
  /** Counts the changes from 1. */
  readonly revision: number;
  readonly calls_per_second?: number;
  readonly suspended?: true;
}

/**
 * Whether the Workspace of a membership has, or had, custom operations and approval rules: a call looks for neither without its mark. Every
 * membership has the marks, because a call reads no Workspace; a mark is absent, and unknown, where the last addition did not store it.
 * Memberships also have the limit of their Workspace, if there is one.
 */
export interface WorkspaceMarks {
  readonly workspace_limit?: WorkspaceLimit;
  readonly has_custom_operations?: boolean;
  readonly has_approval_rules?: boolean;
}

/** The fields of a membership that decide the authority of a session, so that one read is enough. */
export interface Membership extends WorkspaceMarks {
  readonly _id: MemberKey;
  readonly role: Role;
  readonly status: 'active' | 'removed';
  /** The authority epoch, which begins with 1 and grows with every change of role, removal and return. */
  readonly epoch: number;
  readonly connections: Connections;
  /** The Workspace is deleted: the membership counts as absent. Set in every membership, because a call reads no Workspace. */
  readonly workspace_deleted?: true;
}

/** The Member who makes a call; the call reaches what is their own, that of an Owner the whole Workspace. */
export type Caller = Pick<Membership, '_id' | 'role'>;

/** An operator as the caller of a route's handler; the call reaches what that of an Owner of the Workspace does. */
export function operatorOf(workspaceId: string): Caller {
  return { _id: memberKey(workspaceId, ''), role: 'owner' };
}

/** How the last epochs ended: the reason why a grant of one of them stopped. */
interface FormerEpochs {
  /** The changes that ended them, oldest first: the last one ended the epoch before the present one. */
  readonly changes: readonly MembershipChange[];
  /**
   * The connections at the end of each epoch, by its number. `connections_at_end` shows whether a grant of that epoch
   * stopped earlier, by the loss of an app.
   */
  readonly connections_at_end?: Readonly<Record<string, Connections>>;
}

/** The membership of a grant; with its former epochs when the grant is of one of them. */
export type GrantHolder = Membership & Partial<FormerEpochs>;

/**
 * A user in a Workspace, now or formerly. A `StoredMember` is deleted with its Workspace alone, because its epoch keeps the grants of an
 * earlier one stopped. Its size is bounded, because every call reads it.
 */
export interface StoredMember extends Membership, FormerEpochs {
  /** The last changes, by their number; the first of a membership is 1. */
  readonly commits: Readonly<Record<string, MemberCommit>>;
  readonly display_name?: string;
  /** When the user was added, or added again; absent in a membership whose last addition did not store it. */
  readonly added_at?: Date;
  /** The number of the last change: see `member-changes.ts`. */
  readonly change?: number;
  /** When the next round of the erasure of this user begins; absent without one. */
  readonly erase_from?: Date;
  /** When an erasure of this user was complete; absent after their return. */
  readonly erased_at?: Date;
  /** The replica that erases the user. */
  readonly lease?: StoredLease;
  /** When the mailbox changed last, until mail knows the present one: see `mailbox-changes.ts`. */
  readonly mailbox_changed_at?: Date;
  /** The replica that tells mail. */
  readonly mailbox_lease?: StoredLease;
}

/** The time of the last change of a membership, in milliseconds. */
export function changedAtOf({ commits }: Pick<StoredMember, 'commits'>): number {
  return Math.max(0, ...Object.values(commits).map(({ at }) => at.getTime()));
}

/** The fields of a membership whose mailbox changes, as expressions: grants tells mail of the change until mail knows it. */
export const mailboxChanged = { mailbox_changed_at: '$$NOW' } as const;

/** The key of a membership; `workspace_id` leads, as it would lead a shard key. */
export function memberKey(workspaceId: string, userId: string): MemberKey {
  return { workspace_id: workspaceId, user_id: userId };
}

/** A Member in one authority epoch. The database finds it whole, so the order of its fields matters: make it with `memberEpoch`. */
export interface MemberEpoch {
  readonly user_id: string;
  readonly epoch: number;
}

/** A Member in their present authority epoch. */
export function memberEpoch({ _id: { user_id }, epoch }: Pick<Membership, '_id' | 'epoch'>): MemberEpoch {
  return { user_id, epoch };
}

/** The range of the keys of a Workspace's memberships, from after a user id; MongoDB compares documents field by field. */
export function inWorkspace(workspace_id: string, after?: string): Condition<MemberKey> {
  const from = { workspace_id, user_id: after ?? new MinKey() };
  const to = { workspace_id, user_id: new MaxKey() };
  return { $gt: from, $lt: to } as unknown as Condition<MemberKey>;
}

/** The memberships, found by their `_id` alone; the indexes are for the background. */
export const storedMembers: StoredDocuments<StoredMember> = {
  collection: 'members',
  shardKey: '_id',
  indexes: [
    { key: { erase_from: 1 }, name: 'erasure', sparse: true },
    { key: { mailbox_changed_at: 1 }, name: 'mailbox_changed', sparse: true },
  ],
  ofWorkspace: (workspaceId) => ({ _id: inWorkspace(workspaceId) }),
  exported: {
    type: 'member',
    order: { _id: 1 },
    data: ({ _id, role, status, display_name, added_at, erased_at, connections }) => ({
      ..._id,
      role,
      status,
      ...(display_name !== undefined && { display_name }),
      ...(added_at && { added_at: added_at.toISOString() }),
      ...(erased_at && { erased_at: erased_at.toISOString() }),
      connections,
    }),
  },
};

/** The changes of memberships and of the apps of Members. */
export const memberChanges = followCommits(
  storedMembers,
  [],
  ({ _id: { workspace_id: workspaceId, user_id } }, { type, connection_id, ...origin }) => ({
    workspaceId,
    type,
    subject: connection_id ?? user_id,
    data: { user_id, ...(connection_id !== undefined && { connection_id }), ...madeBy(origin) },
  }),
);

/** A membership as Owners see it. */
export function describeForOwners({
  _id,
  role,
  status,
  display_name,
  added_at,
  commits,
}: StoredMember): Member {
  const addedAt = added_at ?? Object.values(commits)[0]?.at ?? new Date(0);
  return {
    userId: _id.user_id,
    role,
    state: status,
    displayName: display_name ?? null,
    addedAt: addedAt.toISOString(),
  };
}

/** A membership as operators see it, with the time of its erasure. */
export function describeForOperators(member: StoredMember) {
  return {
    ...describeForOwners(member),
    ...(member.erased_at && { erasedAt: member.erased_at.toISOString() }),
  };
}
