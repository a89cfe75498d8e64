import type { Principal } from '@action-platform/contracts/authority';
import type { Timed } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import { batchedLookup, within } from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection } from 'mongodb';
import type { Accounts } from '../accounts/accounts.ts';
import { beginRecheck } from '../accounts/recheck.ts';
import type { MailProviders } from '../providers/provider.ts';
import { memberSender, type Sender, sharedSender } from './sender.ts';
import {
  notRemoved,
  REMOVED_KEPT_MS,
  type StoredMailbox,
  type StoredSharedMailbox,
} from './stored-mailbox.ts';

/** How many Members are looked up at the same time, with three queries each. */
const MEMBERS_AT_ONCE = 8;

/** A Member, with their present connection of the mail suite. */
export interface Viewer {
  readonly workspaceId: string;
  readonly userId: string;
  readonly connectionId: string | undefined;
}

/** The Member that a call acts for. */
export function viewerOf({ workspaceId, userId, connections }: Principal): Viewer {
  return { workspaceId, userId, connectionId: connections.mail_suite };
}

/** The fields of a mailbox that name its account. */
type OfAccount = Pick<StoredMailbox, 'provider' | 'account_id'>;

/** The facts that decide about the senders of a Member. */
interface FoundMailboxes {
  readonly viewer: Viewer;
  readonly own: StoredMailbox | null;
  readonly shared: readonly Omit<StoredSharedMailbox, 'members'>[];
  /** The ids of the Workspace's accounts that were refused last. */
  readonly refused: ReadonlySet<string>;
}

/** The collections and capabilities that senders are found with. */
interface Parts {
  readonly mailboxes: Collection<StoredMailbox>;
  readonly sharedMailboxes: Collection<StoredSharedMailbox>;
  readonly accounts: Accounts;
  readonly providers: MailProviders;
  readonly log: Logger;
}

/** The mailboxes of all Workspaces, with the Members who may draft in them. */
export class Senders {
  readonly #parts: Parts;
  /** Calls of one Member at the same time share a look-up. */
  readonly #lookUp = batchedLookup(
    'mail.senders',
    { asked: keyOf, found: ({ viewer }: FoundMailboxes) => keyOf(viewer) },
    (viewers, timed) => Promise.all(viewers.map((viewer) => this.#read(viewer, timed))),
    { maxKeys: MEMBERS_AT_ONCE },
  );

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Stores a Member's own mailbox under a fresh connection id, and returns the id. */
  async addMailbox(
    mailbox: Omit<StoredMailbox, '_id' | 'created_at' | 'expires_at'>,
    timed: Timed,
  ): Promise<string> {
    const connectionId = newId('connection');
    const stored = { _id: connectionId, ...mailbox, created_at: new Date() };
    await this.#parts.mailboxes.insertOne(stored, within(timed));
    return connectionId;
  }

  /** The mailbox of a Member's connection. A connection id of another Member finds none. */
  async findMailbox(
    { workspaceId, userId, connectionId }: Viewer,
    timed: Timed,
  ): Promise<StoredMailbox | null> {
    if (connectionId === undefined) return null;
    const filter = { _id: connectionId, workspace_id: workspaceId, user_id: userId };
    const found = await this.#parts.mailboxes.findOne(filter, within(timed));
    // The connection goes on, so a late call about a connection before it marked its mailbox.
    if (found?.expires_at !== undefined) {
      await this.#parts.mailboxes.updateOne(filter, { $unset: { expires_at: '' } }, within(timed));
    }
    return found;
  }

  /** Lets the database delete the mailboxes of a Member's connections some time later, except that of the present one, if any. */
  async keepMailbox(
    holder: Pick<StoredMailbox, 'workspace_id' | 'user_id'>,
    connectionId: string | undefined,
    timed: Timed,
  ): Promise<void> {
    const ended = { ...holder, _id: { $ne: connectionId ?? '' }, expires_at: { $exists: false } };
    const expires_at = new Date(Date.now() + REMOVED_KEPT_MS);
    await this.#parts.mailboxes.updateMany(ended, { $set: { expires_at } }, within(timed));
  }

  /**
   * The mailboxes that a Member may draft in: the one of their connection, then the shared ones, sorted by address. A
   * connection id of another Member finds none.
   *
   * @param granted the sender ids in the data scope of a routine grant; undefined when the call has no limit.
   */
  async visibleTo(viewer: Viewer, timed: Timed, granted?: readonly string[]): Promise<Sender[]> {
    const { own, shared, refused } = (await this.#lookUp(viewer, timed))!;
    const isAvailable = (mailbox: OfAccount) => this.#isAvailable(mailbox, refused);
    const senders = [
      ...(own === null ? [] : [memberSender(own, isAvailable(own))]),
      ...shared.map((mailbox) => sharedSender(mailbox, isAvailable(mailbox))),
    ];
    for (const { mailbox } of senders) {
      const account = { workspaceId: viewer.workspaceId, accountId: mailbox.account_id };
      if (refused.has(account.accountId)) beginRecheck(account, this.#parts);
    }
    if (granted === undefined) return senders;
    const grantedIds = new Set(granted);
    return senders.filter(({ senderId }) => grantedIds.has(senderId));
  }

  /** The mailboxes of connections, also of those that have ended. */
  async ofConnections(workspace_id: string, ids: readonly string[], timed: Timed): Promise<StoredMailbox[]> {
    const found = this.#parts.mailboxes.find({ _id: { $in: [...ids] }, workspace_id }, within(timed));
    return await found.toArray();
  }

  /** Tells of mailboxes of a Workspace whether drafts can be created in them now. */
  async availability(workspaceId: string, timed: Timed): Promise<(mailbox: OfAccount) => boolean> {
    const refused = await this.#parts.accounts.refused(workspaceId, timed);
    return (mailbox) => this.#isAvailable(mailbox, refused);
  }

  #isAvailable({ provider, account_id }: OfAccount, refused: ReadonlySet<string>): boolean {
    return this.#parts.providers.has(provider) && !refused.has(account_id);
  }

  /** Reads the mailboxes that a Member may draft in, and the accounts of the Workspace that were refused. */
  async #read(viewer: Viewer, timed: Timed): Promise<FoundMailboxes> {
    const { workspaceId, userId } = viewer;
    const [own, shared, refused] = await Promise.all([
      this.findMailbox(viewer, timed),
      this.#parts.sharedMailboxes
        .find(
          { workspace_id: workspaceId, ...notRemoved, $or: [{ everyone: true }, { members: userId }] },
          { projection: { members: 0 }, ...within(timed) },
        )
        .sort({ address: 1 })
        .toArray(),
      this.#parts.accounts.refused(workspaceId, timed),
    ]);
    return { viewer, own, shared, refused };
  }
}

function keyOf({ workspaceId, userId, connectionId }: Viewer): string {
  return [workspaceId, userId, connectionId].join(' ');
}
