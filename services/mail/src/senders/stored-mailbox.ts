import { followCommits, madeBy } from '@action-platform/change-events';
import type { Origin } from '@action-platform/contracts/calls';
import type { SharedMailbox } from '@action-platform/contracts/resources';
import { byMember, byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** The mailbox of a Member's connection of the mail suite. Each connection has its own. */
export interface StoredMailbox {
  /** The connection id, `con_…`. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly provider: string;
  readonly account_id: string;
  readonly created_at: Date;
  /** When the database deletes it (TTL index): its connection has ended. */
  readonly expires_at?: Date;
}

/** A change of a shared mailbox that is an event. An erasure has no origin. */
export interface SenderCommit extends Partial<Origin> {
  readonly type: 'sender.added' | 'sender.changed' | 'sender.removed';
  readonly at: Date;
}

/** A mailbox that Members share. The address of a removed one is a space and its id, so that another one can have its former address. */
export interface StoredSharedMailbox {
  /** The sender id, `snd_…`. */
  readonly _id: string;
  readonly workspace_id: string;
  /** The address in lower case, unique in the Workspace. */
  readonly address: string;
  readonly email: string;
  readonly display_name: string;
  readonly provider: string;
  readonly account_id: string;
  /** Whether every Member may use it. Otherwise those in `members` may, each once. */
  readonly everyone: boolean;
  /** User ids; null for everyone. An empty list is nobody. */
  readonly members: readonly string[] | null;
  readonly interactive: boolean;
  readonly scheduled: boolean;
  /** The mailbox's number among those of the Workspace: a unique index makes the limit exact. Absent on a removed mailbox. */
  readonly slot?: number;
  /** The last changes, by their number. */
  readonly commits: Readonly<Record<string, SenderCommit>>;
  /** When the database deletes a removed one (TTL index). */
  readonly expires_at?: Date;
}

/** Matches the shared mailboxes that were not removed, as a range of the index: no address of a mailbox begins with a space. */
export const notRemoved = { address: { $gte: '!' } } as const;

/** How long a removed mailbox is kept, in milliseconds: its event must have been published, and its removal may be repeated. */
export const REMOVED_KEPT_MS = 30 * 86_400_000;

/** The Members' own mailboxes. A call finds them by their `_id`, an export and an erasure by the index. */
export const storedMailboxes: StoredDocuments<StoredMailbox> = {
  collection: 'mailboxes',
  shardKey: 'workspace_id',
  indexes: [
    { key: { workspace_id: 1, user_id: 1, _id: 1 }, name: 'member' },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  ofMember: byMember,
  exported: {
    type: 'mailbox',
    order: { user_id: 1, _id: 1 },
    data: ({ _id, user_id, email, provider, created_at }) => ({
      connection_id: _id,
      user_id,
      email,
      provider,
      created_at,
    }),
  },
};

/** The shared mailboxes, with the indexes that make an address and a slot unique in their Workspace. */
export const storedSharedMailboxes: StoredDocuments<StoredSharedMailbox> = {
  collection: 'shared_mailboxes',
  shardKey: 'workspace_id',
  indexes: [
    { key: { workspace_id: 1, address: 1 }, unique: true },
    {
      name: 'slot',
      key: { workspace_id: 1, slot: 1 },
      unique: true,
      partialFilterExpression: { slot: { $gte: 0 } },
    },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  exported: { type: 'sender', order: { address: 1 }, filter: notRemoved, data: describeSharedMailbox },
};

/** A shared mailbox in an export. */
function describeSharedMailbox(mailbox: StoredSharedMailbox) {
  const { _id, email, display_name, members, everyone, interactive, scheduled } = mailbox;
  return {
    sender_id: _id,
    email,
    display_name,
    members: members && [...members],
    everyone,
    interactive,
    scheduled,
  };
}

/** A shared mailbox as Owners see it. */
export function describeForOwners(
  { _id, display_name, email, members, everyone, interactive, scheduled }: StoredSharedMailbox,
  available: boolean,
): SharedMailbox {
  return {
    senderId: _id,
    type: 'shared_mailbox',
    displayName: display_name,
    email,
    members: members && [...members],
    everyone,
    interactive,
    scheduled,
    available,
  };
}

/** The changes of shared mailboxes. */
export const senderChanges = followCommits(
  storedSharedMailboxes,
  ['workspace_id'],
  ({ _id, workspace_id: workspaceId }, commit) => ({
    workspaceId,
    type: commit.type,
    subject: _id,
    data: { sender_id: _id, ...madeBy(commit) },
  }),
);
