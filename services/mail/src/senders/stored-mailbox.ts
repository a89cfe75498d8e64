import { byMember, byWorkspace, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';

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
}

/** A mailbox that Members share. */
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
}

export const storedMailboxes: StoredDocuments<StoredMailbox> = {
  collection: 'mailboxes',
  shardKey: 'workspace_id',
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

export const storedSharedMailboxes: StoredDocuments<StoredSharedMailbox> = {
  collection: 'shared_mailboxes',
  shardKey: 'workspace_id',
  ofWorkspace: byWorkspace,
  exported: { type: 'sender', order: { address: 1 }, data: describeSharedMailbox },
};

/** The Members' own mailboxes. A call finds them by their `_id`, an export and an erasure by the index. */
export async function openMailboxes(db: Db): Promise<Collection<StoredMailbox>> {
  const mailboxes = openStored(db, storedMailboxes);
  await mailboxes.createIndex({ workspace_id: 1, user_id: 1, _id: 1 }, { name: 'member' });
  return mailboxes;
}

/** The shared mailboxes, with the index that makes an address unique in its Workspace and sorts by it. */
export async function openSharedMailboxes(db: Db): Promise<Collection<StoredSharedMailbox>> {
  const mailboxes = openStored(db, storedSharedMailboxes);
  await mailboxes.createIndex({ workspace_id: 1, address: 1 }, { unique: true });
  return mailboxes;
}

/** A shared mailbox as operators see it. */
export function describeSharedMailbox(mailbox: StoredSharedMailbox) {
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
