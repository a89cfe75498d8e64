import type { Collection, Db } from 'mongodb';

/** The mailbox of a Member's connection of the mail suite. Each connection has its own. */
export interface StoredMailbox {
  /** The connection id, `con_…`. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly user_id: string;
  readonly email: string;
  readonly provider: string;
  /** Absent in documents of an earlier version, whose mailboxes are all local. */
  readonly account_id?: string;
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
  /** Absent in documents of an earlier version, whose mailboxes are all local. */
  readonly account_id?: string;
  /** The user ids of the Members who may use it. Empty: every Member may. */
  readonly members: readonly string[];
  readonly interactive: boolean;
  readonly scheduled: boolean;
}

/** The Members' own mailboxes, found by their `_id` alone. */
export function openMailboxes(db: Db): Collection<StoredMailbox> {
  return db.collection('mailboxes');
}

/** The shared mailboxes, with the index that makes an address unique in its Workspace and sorts by it. */
export async function openSharedMailboxes(db: Db): Promise<Collection<StoredSharedMailbox>> {
  const mailboxes = db.collection<StoredSharedMailbox>('shared_mailboxes');
  await mailboxes.createIndex({ workspace_id: 1, address: 1 }, { unique: true });
  return mailboxes;
}

/** A shared mailbox as operators see it. */
export function describeSharedMailbox(mailbox: StoredSharedMailbox) {
  const { _id, email, display_name, members, interactive, scheduled } = mailbox;
  const everyone = members.length === 0;
  return { sender_id: _id, email, display_name, members: [...members], everyone, interactive, scheduled };
}
