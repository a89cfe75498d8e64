import { newId, type Principal } from '@action-platform/contracts';
import type { Documents } from '../database/documents.ts';
import { memberSender, type Sender, sharedSender } from './sender.ts';
import type { SharedMailboxDocument } from './shared-mailbox-document.ts';

/** A Member, with their live connection of the mail suite. */
export interface Viewer {
  readonly workspaceId: string;
  readonly userId: string;
  readonly connectionId: string | undefined;
}

/** The mailboxes of all Workspaces, and who may draft in them. */
export class Senders {
  readonly #documents: Documents;

  constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Keeps a Member's own mailbox under a fresh connection id, and returns the id. */
  async addMailbox(mailbox: {
    workspaceId: string;
    userId: string;
    email: string;
    provider: string;
  }): Promise<string> {
    const connectionId = newId('connection');
    await this.#documents.mailboxes.insertOne({
      _id: connectionId,
      workspace_id: mailbox.workspaceId,
      user_id: mailbox.userId,
      email: mailbox.email,
      provider: mailbox.provider,
      created_at: new Date(),
    });
    return connectionId;
  }

  /** Adds a shared mailbox, or changes the one that the Workspace has at this address; returns its sender id. */
  async putShared(mailbox: Omit<SharedMailboxDocument, '_id' | 'address'>): Promise<string> {
    const { workspace_id, email } = mailbox;
    const stored = await this.#documents.sharedMailboxes.findOneAndUpdate(
      { workspace_id, address: email.toLowerCase() },
      { $set: mailbox, $setOnInsert: { _id: newId('sender') } },
      { upsert: true, returnDocument: 'after' },
    );
    return stored!._id;
  }

  /**
   * Everything that a Member may draft in: the mailbox behind their connection first, then what is shared with them,
   * sorted by address. A connection id of somebody else finds nothing.
   */
  async visibleTo({ workspaceId, userId, connectionId }: Viewer): Promise<Sender[]> {
    const [own, shared] = await Promise.all([
      connectionId === undefined ? null : this.#ownMailbox(workspaceId, userId, connectionId),
      this.#documents.sharedMailboxes
        .find(
          { workspace_id: workspaceId, $or: [{ members: { $size: 0 } }, { members: userId }] },
          { projection: { members: 0 } },
        )
        .sort({ address: 1 })
        .toArray(),
    ]);
    return [...(own === null ? [] : [memberSender(own)]), ...shared.map(sharedSender)];
  }

  /** What a caller may draft in: everything that their Member may, within the senders that a routine grant lists. */
  async authorizedFor(principal: Principal): Promise<Sender[]> {
    const { workspaceId, userId, connections, routine } = principal;
    const senders = await this.visibleTo({ workspaceId, userId, connectionId: connections.mail_suite });
    if (routine === undefined) return senders;
    const allowed = new Set(routine.data.senderIds);
    return senders.filter(({ senderId }) => allowed.has(senderId));
  }

  #ownMailbox(workspaceId: string, userId: string, connectionId: string) {
    return this.#documents.mailboxes.findOne({
      _id: connectionId,
      workspace_id: workspaceId,
      user_id: userId,
    });
  }
}
